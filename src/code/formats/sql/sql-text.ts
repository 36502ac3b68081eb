/** The forward part of a migration, without commands of the client `psql`: lines and offsets stay. */
export function forwardSql(text: string): string {
  const down = /^--\s*(?:migrate:down|\+(?:goose|migrate)\s+Down|@?DOWN\b|rollback\b).*$/im.exec(text);
  const forward = down ? text.slice(0, down.index) : text;
  if (!/^(?:\\|COPY\s)/im.test(forward)) return forward;
  let isData = false;
  return forward
    .split('\n')
    .map((row) => {
      const isCommand = row.startsWith('\\');
      const isHidden = isData || isCommand;
      if (isData && /^\\\.\s*$/.test(row)) isData = false;
      else if (/^COPY\s.*\bFROM\s+stdin\s*;\s*$/i.test(row)) {
        isData = true;
        return blank(row);
      }
      return isHidden ? blank(row) : row;
    })
    .join('\n');
}

function blank(row: string): string {
  return row.replace(/[^\r]/g, ' ');
}

/** Templates that generate SQL: dbt, Jinja, Handlebars. */
export function isTemplate(text: string): boolean {
  return /\{\{|\{%|<%/.test(text);
}

/** A migration that reverts another one. */
export function leadsBack(path: string): boolean {
  return /(?:\.|_)(?:down|undo|rollback)\.sql$|(?:^|\/)U\d(?=[^/]*__)[^/]*\.sql$|(?:^|\/)down\.sql$/i.test(
    path,
  );
}

/** Replaces placeholders of SQL in strings, `%s`, `?`, `:id`, `%(id)s`, `${id}`, by `$1` on the same line. */
export function withPlaceholders(text: string): string {
  return text
    .replace(/%\(\w+\)s|%s|%d/g, '$1')
    .replace(/(?<![\w:]):(?=[a-z_])\w+/gi, '$1')
    .replace(/\?(?!\w)/g, '$1')
    .replace(/@(?=[a-z_])\w+/gi, '$1');
}

export const looksLikeSql =
  /^\s*(?:select\b[\s\S]*\bfrom\b|insert\s+into\b|update\s+["`\w.]+\s+(?:as\s+\w+\s+)?set\b|delete\s+from\b|with\s+\w[\s\S]*\bas\s*\()/i;
