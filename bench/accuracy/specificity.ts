export async function specificity(_cache: string, _full: boolean): Promise<string> {
  return '';
}
