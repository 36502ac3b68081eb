import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { WorkflowError } from './workflow-error.ts';

/** What a token allows: to advance, to look, or to set a checkpoint. */
export type TokenKind = 'continue' | 'resume' | 'checkpoint';

/** A place in a run. */
export interface TokenPlace {
  readonly run: string;
  readonly node: number;
  /** Which continuation of the node: a second one is a fork. */
  readonly attempt: number;
}

export interface Keyring {
  readonly current: Uint8Array;
  /** The previous key; its tokens are still valid. */
  readonly previous: Uint8Array | null;
}

const prefixes: Readonly<Record<TokenKind, string>> = { continue: 'ct_', resume: 'st_', checkpoint: 'ck_' };
const kinds = Object.keys(prefixes) as TokenKind[];
const signatureBytes = 16;
const keyIdBytes = 4;

export function newKey(): Uint8Array {
  return new Uint8Array(randomBytes(32));
}

/** The same place gives the same token as long as the key is the same. */
export function mintToken(keys: Keyring, kind: TokenKind, { run, node, attempt }: TokenPlace): string {
  const body = Buffer.concat([
    keyId(keys.current),
    Buffer.from(`${kinds.indexOf(kind)}\n${run}\n${node}\n${attempt}`),
  ]);
  return prefixes[kind] + Buffer.concat([body, sign(keys.current, body)]).toString('base64url');
}

/** The place that a token names, or an error that says what is wrong with it. */
export function openToken(
  keys: Keyring,
  token: string,
  wanted: readonly TokenKind[],
): TokenPlace & { kind: TokenKind } {
  const kind = kinds.find((each) => token.startsWith(prefixes[each]));
  const text = token.slice(3);
  if (!kind || !/^[\w-]{40,400}$/.test(text)) throw badFormat();
  const bytes = Buffer.from(text, 'base64url');
  // Another spelling of the same bytes is another token.
  if (bytes.toString('base64url') !== text) throw badFormat();
  const body = bytes.subarray(0, -signatureBytes);
  const key = [keys.current, keys.previous].find(
    (each) => each && keyId(each).equals(body.subarray(0, keyIdBytes)),
  );
  if (!key) {
    throw new WorkflowError(
      'TOKEN_KEY_RETIRED',
      'the token was signed with a key that is no longer valid',
      'find the run again: joinery workflow resume, or the tool resume_session',
    );
  }
  if (!timingSafeEqual(sign(key, body), bytes.subarray(-signatureBytes))) {
    throw new WorkflowError(
      'TOKEN_BAD_SIGNATURE',
      'the token was not issued by Joinery, or was changed',
      'pass it on exactly as it was given',
    );
  }
  const [of, run = '', node, attempt] = body.subarray(keyIdBytes).toString('utf8').split('\n');
  if (kinds[Number(of)] !== kind) throw badFormat();
  if (!wanted.includes(kind)) {
    throw new WorkflowError(
      'TOKEN_SCOPE_MISMATCH',
      `this is a ${kind} token, and ${wanted.join(' or ')} is needed here`,
      `use the one that starts with ${wanted.map((each) => prefixes[each]).join(' or ')}`,
    );
  }
  return { kind, run, node: Number(node), attempt: Number(attempt) };
}

function badFormat(): WorkflowError {
  return new WorkflowError(
    'TOKEN_INVALID_FORMAT',
    'that is not a token',
    'pass it on exactly as it was given',
  );
}

function keyId(key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('key id').digest().subarray(0, keyIdBytes);
}

function sign(key: Uint8Array, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, signatureBytes);
}
