import { readOwnPackage } from '#process/own-package.ts';

/** Version of this Joinery: '0.1.0'. */
export function ownVersion(): string {
  return readOwnPackage().version;
}
