/** Made by `npm run generate` from src/check/rules/: edit the rules there. */
import type { RuleFacts, RuleId } from './rules.ts';

export const ruleTable: { readonly [Id in RuleId]: RuleFacts } = {
  "T01": {
    "id": "T01",
    "name": "textual-conflict",
    "category": "text",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.76,
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "Git itself cannot merge the branches: they change the same lines, or one edits what the other deletes. A person has to decide; problems that remain with any resolution are reported too.",
    "example": {
      "a": [
        "- timeout = 10",
        "+ timeout = 30"
      ],
      "b": [
        "- timeout = 10",
        "+ timeout = 60"
      ]
    },
    "move": "Merge or rebase one branch onto the other and resolve the marked lines; then check again, because a resolved text can still hide a conflict of meaning."
  },
  "T02": {
    "id": "T02",
    "name": "auto-resolvable-conflict",
    "category": "text",
    "severity": "info",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.92,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "Git reports a conflict, but the two edits touch different symbols: both add something at the same spot, or edit neighbours. Keeping both is very likely right.",
    "example": {
      "a": [
        "  class Report:",
        "+     def to_json(self): ..."
      ],
      "b": [
        "  class Report:",
        "+     def to_yaml(self): ..."
      ]
    },
    "move": "Resolve the conflict by keeping both additions, and read the result once: order can matter."
  },
  "T03": {
    "id": "T03",
    "name": "merged-file-does-not-parse",
    "category": "text",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.99,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "The text merges without a conflict, but the merged file is no longer valid code, although it is valid on each branch.",
    "example": {
      "a": [
        "- if (ready) {",
        "-   start(); }",
        "+ if (ready) start();"
      ],
      "b": [
        "  start(); }",
        "+ else { wait(); }"
      ]
    },
    "move": "Rebase one branch on the other and repair the file where both edits meet."
  },
  "T04": {
    "id": "T04",
    "name": "modify-vs-delete",
    "category": "text",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "One branch deletes a symbol, or rewrites it elsewhere, while the other one edits it. Git shows at most conflicting lines; this names the symbol whose edit would be lost.",
    "example": {
      "a": [
        "- export function slugify(text) { ... }"
      ],
      "b": [
        "  export function slugify(text) {",
        "-   return text.toLowerCase();",
        "+   return text.trim().toLowerCase();"
      ]
    },
    "move": "Decide whether the symbol stays. If it moved, carry the edit to its new place; if it is gone, check that its replacement needs the same edit."
  },
  "T05": {
    "id": "T05",
    "name": "moved-code-loses-edit",
    "category": "text",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.97,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "One branch moves code to another file, the other edits it in the old one. Git sees removed lines and added lines: the moved copy does not have the edit, and resolving the conflict in favour of the move silently loses it.",
    "example": {
      "a": [
        "- parse.ts:   export function parse(input) { ... }",
        "+ parser.ts:  export function parse(input) { ... }"
      ],
      "b": [
        "  parse.ts:   export function parse(input) {",
        "+               if (input === '') return null;"
      ]
    },
    "move": "Make the edit again at the new place."
  },
  "T06": {
    "id": "T06",
    "name": "duplicate-key-in-data-file",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "json",
      "yaml",
      "toml",
      "env"
    ],
    "precision": 0.99,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "Both branches add the same key at different places of one data file. It merges cleanly, and readers silently keep one of the two values.",
    "example": {
      "a": [
        "+ \"retry\": 3,"
      ],
      "b": [
        "+ \"retry\": 5"
      ]
    },
    "move": "Keep one entry with the value you mean."
  },
  "T07": {
    "id": "T07",
    "name": "path-collision",
    "category": "text",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 1,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "The union holds two paths that differ only in case or in the way accents are written. Where file names ignore that, as on macOS and Windows, one file overwrites the other.",
    "example": {
      "a": [
        "+ src/Button.tsx"
      ],
      "b": [
        "+ src/button.tsx"
      ]
    },
    "move": "Rename one of the files, or merge the two if they are meant to be the same."
  },
  "S01": {
    "id": "S01",
    "name": "use-of-removed-symbol",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 1
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch removes a symbol, the other starts to use it. Each builds alone; together the use has nothing to refer to.",
    "example": {
      "a": [
        "- export function parseDate(text) { ... }"
      ],
      "b": [
        "+ import { parseDate } from './dates'",
        "+ const day = parseDate(row.created);"
      ]
    },
    "move": "Restore the symbol, or replace its use with what the removing branch uses instead."
  },
  "S02": {
    "id": "S02",
    "name": "use-of-renamed-symbol",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 45,
      "real": 45
    },
    "what": "One branch renames a symbol and every use it can see; the other adds a use of the old name.",
    "example": {
      "a": [
        "- export function getUser(id) { ... }",
        "+ export function fetchUser(id) { ... }"
      ],
      "b": [
        "+ const user = await getUser(id);"
      ]
    },
    "move": "Use the new name in the other branch. Where a fix is offered, it is a plain replacement."
  },
  "S03": {
    "id": "S03",
    "name": "import-of-moved-module",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.99,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 28,
      "real": 28
    },
    "what": "One branch moves a module or a symbol to another file; the other imports it from the old place.",
    "example": {
      "a": [
        "  lib/http.ts -> lib/net/http.ts"
      ],
      "b": [
        "+ import { get } from './lib/http'"
      ]
    },
    "move": "Import from the new place."
  },
  "S04": {
    "id": "S04",
    "name": "arity-mismatch",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.96,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch changes how many arguments a function takes; the other adds a call of the old shape.",
    "example": {
      "a": [
        "- def send(to, body):",
        "+ def send(to, body, *, tenant):"
      ],
      "b": [
        "+ send(address, text)"
      ]
    },
    "move": "Adapt the call, or give the new parameter a default."
  },
  "S05": {
    "id": "S05",
    "name": "keyword-parameter-renamed",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.96,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch renames a parameter that callers may pass by name; the other adds a call with the old name.",
    "example": {
      "a": [
        "- def connect(host, timeout=5):",
        "+ def connect(host, timeout_s=5):"
      ],
      "b": [
        "+ connect(host, timeout=2)"
      ]
    },
    "move": "Pass the argument by its new name."
  },
  "S06": {
    "id": "S06",
    "name": "parameter-order-swapped",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.92,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch changes the order of parameters whose types are alike, or puts one of another kind in the place of one; the other adds a call in the old way. Mostly no type checker can see it; where one does, the finding blocks.",
    "example": {
      "a": [
        "- function copy(from: string, to: string)",
        "+ function copy(to: string, from: string)"
      ],
      "b": [
        "+ copy(draft, published);"
      ]
    },
    "move": "Swap the arguments of the new call; an options object would make the next change safe."
  },
  "S07": {
    "id": "S07",
    "name": "return-contract-changed",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "python",
      "go"
    ],
    "precision": 0.92,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch changes what a function returns: it may now be empty, has another shape or number of values, or is a method where it was a property. The other adds code that relies on the old result.",
    "example": {
      "a": [
        "- function find(id): User",
        "+ function find(id): User | undefined"
      ],
      "b": [
        "+ send(find(id).email);"
      ]
    },
    "move": "Handle the new result where it is used."
  },
  "S08": {
    "id": "S08",
    "name": "sync-async-flip",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.97,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch makes a function asynchronous, or synchronous again; the other adds a call that treats it the old way and gets a promise instead of a value.",
    "example": {
      "a": [
        "- function load(): Config",
        "+ async function load(): Promise<Config>"
      ],
      "b": [
        "+ const port = load().port;"
      ]
    },
    "move": "Await the call, and make its callers asynchronous as far as needed."
  },
  "S09": {
    "id": "S09",
    "name": "failure-contract-changed",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.75,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch changes how a function reports failure, for instance by raising where it returned nothing, or gives an error another base class; the other adds a caller that checks the old way.",
    "example": {
      "a": [
        "-     return None",
        "+     raise NotFound(key)"
      ],
      "b": [
        "+ if get(key) is None:",
        "+     create(key)"
      ]
    },
    "move": "Handle failure in the new way at the call. Read both sides: this rule judges by the shape of the code and can be wrong."
  },
  "S10": {
    "id": "S10",
    "name": "field-removed-or-renamed",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch removes or renames a field of a class, interface or record; the other adds code that reads or writes it.",
    "example": {
      "a": [
        "  class User:",
        "-     name: str",
        "+     full_name: str"
      ],
      "b": [
        "+ greet(user.name)"
      ]
    },
    "move": "Follow the rename, or agree on one set of fields."
  },
  "S11": {
    "id": "S11",
    "name": "member-unimplemented",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch adds a required member to an interface or abstract class; the other adds an implementation without it.",
    "example": {
      "a": [
        "  interface Storage {",
        "+   delete(key: string): void;"
      ],
      "b": [
        "+ class Bucket implements Storage { get() {} put() {} }"
      ]
    },
    "move": "Implement the member, or make it optional."
  },
  "S12": {
    "id": "S12",
    "name": "override-of-changed-method",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go"
    ],
    "precision": 0.94,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch changes or removes a method of a base class or interface; the other adds an override or implementation of the old one, which is now called in the wrong way or not at all.",
    "example": {
      "a": [
        "- def render(self, ctx):",
        "+ def render(self, ctx, options):"
      ],
      "b": [
        "+ class Card(Base):",
        "+     def render(self, ctx): ..."
      ]
    },
    "move": "Give the override the new signature."
  },
  "S13": {
    "id": "S13",
    "name": "export-narrowed",
    "category": "connection",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.97,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch stops exporting something, or makes it private; the other starts to import it.",
    "example": {
      "a": [
        "- export * from './dates';"
      ],
      "b": [
        "+ import { iso } from '@app/core';"
      ]
    },
    "move": "Keep it public, or import it from where it is still exported."
  },
  "S14": {
    "id": "S14",
    "name": "uncovered-case",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "python",
      "rust"
    ],
    "precision": 0.92,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "One branch adds a member to an enum or a union of values; the other adds a switch that covers all the old members and has no default.",
    "example": {
      "a": [
        "- type Status = 'open' | 'done';",
        "+ type Status = 'open' | 'done' | 'archived';"
      ],
      "b": [
        "+ switch (status) { case 'open': return 1; case 'done': return 2; }"
      ]
    },
    "move": "Handle the new member in the new switch."
  },
  "S15": {
    "id": "S15",
    "name": "enum-renumbered",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "python"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "One branch shifts the numbers behind an enum; the other adds code that compares a value of that enum with the old number.",
    "example": {
      "a": [
        "  ACTIVE = 1",
        "+ PAUSED = 2",
        "- DONE = 2",
        "+ DONE = 3"
      ],
      "b": [
        "+ if job.status == 2:",
        "+     archive(job)"
      ]
    },
    "move": "Use the name instead of the number, or append new members at the end."
  },
  "S16": {
    "id": "S16",
    "name": "type-parameter-arity",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript"
    ],
    "precision": 0.99,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "One branch changes the number or the order of the type parameters of a type; the other adds a use with the old number or order.",
    "example": {
      "a": [
        "- class Repo<T>",
        "+ class Repo<T, Key>"
      ],
      "b": [
        "+ class Users extends Repo<User> {}"
      ]
    },
    "move": "Pass the new type argument, or give it a default."
  },
  "S17": {
    "id": "S17",
    "name": "duplicate-definition",
    "category": "duplicate",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "Both branches add a definition of the same name to the same scope. The text merges; the code is invalid, or the later definition silently wins.",
    "example": {
      "a": [
        "+ def slug(title): ...        # at the top of text.py"
      ],
      "b": [
        "+ def slug(text): ...         # at the end of text.py"
      ]
    },
    "move": "Keep one definition, or give one of them another name."
  },
  "S18": {
    "id": "S18",
    "name": "ambiguous-name",
    "category": "connection",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "csharp"
    ],
    "precision": 0.96,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "One barrel or star import gets the same name from two modules, each added by another branch. TypeScript rejects it, JavaScript exports neither, Python silently takes the last one.",
    "example": {
      "a": [
        "+ export * from './format';    // has pad"
      ],
      "b": [
        "+ export * from './string';    // has pad"
      ]
    },
    "move": "Export the wanted one by name, or rename one of them."
  },
  "S19": {
    "id": "S19",
    "name": "import-cycle",
    "category": "connection",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.92,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "Each branch adds an import, and only together do they form a cycle. Modules may then be used before they are initialised. Reported where one of the imports leads directly to a file that the other branch changed; the rest of the cycle may go through any files.",
    "example": {
      "a": [
        "  a.py:",
        "+ import b"
      ],
      "b": [
        "  b.py:",
        "+ import a"
      ]
    },
    "move": "Move what both need into a third module, or import inside the function that needs it."
  },
  "S20": {
    "id": "S20",
    "name": "new-provider-mismatch",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 16,
      "real": 16
    },
    "what": "Both sides are new: one branch provides something, the other uses it and expects another name or shape. Alone, the using branch only lacks its provider; together, they disagree.",
    "example": {
      "a": [
        "+ class User:",
        "+     id: int",
        "+     name: str"
      ],
      "b": [
        "+ def title(user: User):",
        "+     return user.display_name"
      ]
    },
    "move": "Agree on one name and shape; either side can follow."
  },
  "S21": {
    "id": "S21",
    "name": "unresolved-import",
    "category": "connection",
    "severity": "important",
    "single": true,
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "rust",
      "ruby"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "what": "A branch adds an import that nothing provides: not the base, not the branch, not any other branch of the check. It may be waiting for work that is not there yet. This concerns one branch alone, so it never blocks. Imports that do not resolve on base either, such as generated modules, are not reported, nor is anything that a macro, a build or a file that was not read may bring.",
    "example": {
      "a": [
        "  (adds nothing called app/teams)"
      ],
      "b": [
        "+ from app.teams import Team"
      ]
    },
    "move": "Add the missing module, check together with the branch that has it, or correct the path."
  },
  "C01": {
    "id": "C01",
    "name": "route-collision",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 72,
      "real": 72
    },
    "what": "Two branches each register a handler for the same method and path of one app. Only the first one answers; Fastify and Next refuse to start. Paths are compared without the names of their parameters and with everything they are mounted below. In Flask also two views with one name: it refuses to start.",
    "example": {
      "a": [
        "+ app.get('/users/:id', a)"
      ],
      "b": [
        "+ app.get('/users/:userId', b)"
      ]
    },
    "move": "Give one of the two another path, or join the handlers."
  },
  "C02": {
    "id": "C02",
    "name": "route-shadowed",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "One branch adds a route with a parameter, another one a route that the parameter also matches, and in the merged file the parameter comes first: the other handler is never reached. Only frameworks that try routes in their order.",
    "example": {
      "a": [
        "+ get('/users/:id')"
      ],
      "b": [
        "+ get('/users/me')   // below it"
      ]
    },
    "move": "Register the route without a parameter first."
  },
  "C03": {
    "id": "C03",
    "name": "call-of-changed-route",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "One branch removes or renames a route, or takes a new key out of the body of its requests, and another branch adds a client that calls it as it was: fetch, axios, ky, requests, httpx. Likely, because the client may talk to another server.",
    "example": {
      "a": [
        "- app.get(\"/orders/:id\")",
        "+ app.get(\"/v2/orders/:id\")"
      ],
      "b": [
        "+ fetch(`/orders/${id}`)"
      ]
    },
    "move": "Call the route as it is now, or keep the old one."
  },
  "C04": {
    "id": "C04",
    "name": "openapi-divergence",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "yaml",
      "json"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 36,
      "real": 36
    },
    "what": "The merged description of an API does not hold together: one branch removes a schema, a parameter, a response or another component that another one refers to, from the same file or from another, two operations get one operationId, or a property that one branch removes is required or shown in an example by the other.",
    "example": {
      "a": [
        "- Money: …   # components.schemas"
      ],
      "b": [
        "+ price: { $ref: '#/components/schemas/Money' }"
      ]
    },
    "move": "Refer to what the description has now; give each operation its own id."
  },
  "C05": {
    "id": "C05",
    "name": "graphql-conflict",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "graphql"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 36,
      "real": 36
    },
    "what": "An operation of one branch is valid against its own schema and not against the merged one: another branch removed the field, changed its type or its arguments. Or two branches define one type or one field. Operations are validated by graphql-js, in documents and in gql`…` of code.",
    "example": {
      "a": [
        "type User { - email: String }"
      ],
      "b": [
        "+ query { user { email } }"
      ]
    },
    "move": "Ask for what the schema has now, or keep the field."
  },
  "C06": {
    "id": "C06",
    "name": "protobuf-tag-reused",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "protobuf"
    ],
    "precision": 0.99,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 36,
      "real": 36
    },
    "what": "Two branches add a field to one protobuf message, or a value to one enum, with the same number or the same name, or one adds a field with a number or name that the other one reserves; or one adds a field of a message or enum that the other one removes or renames. What is merged does not compile.",
    "example": {
      "a": [
        "+ string phone = 7;"
      ],
      "b": [
        "+ int64 score = 7;"
      ]
    },
    "move": "Give one of the two the next free number, or use the new name."
  },
  "C07": {
    "id": "C07",
    "name": "table-rebuilt",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "sql"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "One branch adds a column to a table, and a migration of another branch recreates the table without it: create, copy, drop, rename. After both the column is missing although the model has it.",
    "example": {
      "a": [
        "+ ALTER TABLE t ADD COLUMN nickname text"
      ],
      "b": [
        "+ CREATE TABLE t_new (…); DROP TABLE t; ALTER TABLE t_new RENAME TO t"
      ]
    },
    "move": "Give the new table the column too."
  },
  "C08": {
    "id": "C08",
    "name": "column-gone",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "sql",
      "typescript",
      "python"
    ],
    "precision": 0.93,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 54,
      "real": 54
    },
    "what": "One branch drops or renames a column, a table or a field of a model, and another branch adds code that names it: a query, a model, a GraphQL type, a schema, a client that reads it from the answer of a route. All hops between the two are listed. Proven where both sides are SQL files that were read whole.",
    "example": {
      "a": [
        "+ ALTER TABLE orders DROP COLUMN note;"
      ],
      "b": [
        "+ SELECT note FROM orders;"
      ]
    },
    "move": "Use the new name, or keep the column until no code reads it."
  },
  "C09": {
    "id": "C09",
    "name": "column-defined-twice",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "sql",
      "python",
      "prisma"
    ],
    "precision": 0.97,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "Two branches each add a column of the same name to the same table, or a field to the same Prisma model. The database refuses the second one; with IF NOT EXISTS it keeps the first definition and says nothing, which matters where the two differ.",
    "example": {
      "a": [
        "+ ADD COLUMN plan text"
      ],
      "b": [
        "+ ADD COLUMN plan integer NOT NULL"
      ]
    },
    "move": "Agree on one definition and keep one of the two migrations."
  },
  "C10": {
    "id": "C10",
    "name": "divergent-shapes",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "typescript",
      "python",
      "graphql",
      "prisma"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "Two branches describe one entity in different layers, and the descriptions do not fit: a field is a number here and a text there, or the one calls `name` what the other calls `display_name`. Models, GraphQL types, Zod and Pydantic, OpenAPI, dataclasses, DTOs.",
    "example": {
      "a": [
        "+ class User(Base): name = Column(Text)"
      ],
      "b": [
        "+ type User { display_name: String }"
      ]
    },
    "move": "Agree on one name and one type."
  },
  "C11": {
    "id": "C11",
    "name": "event-payload-mismatch",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 54,
      "real": 54
    },
    "what": "One branch publishes an event, a message, a job or a Redux action, another one adds a listener that reads a key which is not sent. Emitters, Kafka, RabbitMQ, BullMQ, Celery and Redux are followed; all keys that are sent have to be written out.",
    "example": {
      "a": [
        "+ bus.emit(\"paid\", { orderId })"
      ],
      "b": [
        "+ bus.on(\"paid\", (e) => e.order_id)"
      ]
    },
    "move": "Agree on the keys of the event."
  },
  "C12": {
    "id": "C12",
    "name": "format-version-clash",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "Two branches raise the version of one stored format to the same value, each for a change of its own. Data written by the one is then taken for data of the other.",
    "example": {
      "a": [
        "+ SCHEMA_VERSION = 8   # adds x"
      ],
      "b": [
        "+ SCHEMA_VERSION = 8   # adds y"
      ]
    },
    "move": "Let the branch that lands later take the next version."
  },
  "M01": {
    "id": "M01",
    "name": "migration-slot-collision",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.99,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 36,
      "real": 36
    },
    "what": "Both branches add a migration that takes the same place: the same version, or the same migration to follow. The text merges; the tool refuses to migrate, or runs them in an arbitrary order.",
    "example": {
      "a": [
        "+ shop/migrations/0042_add_email.py   # follows 0041_prices"
      ],
      "b": [
        "+ shop/migrations/0042_add_phone.py   # follows 0041_prices"
      ]
    },
    "move": "Give the migration that lands later the next version, and let it follow the other one."
  },
  "M02": {
    "id": "M02",
    "name": "order-dependent-migrations",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "sql",
      "python"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "A migration of one branch drops or renames a column or a table, and a migration of another branch works with it under the old name. It is proven where the files say that it runs afterwards: then it fails on every database. The other way round it fails where the migrations were applied in the order of landing.",
    "example": {
      "a": [
        "+ 0042: ALTER TABLE t RENAME a TO b"
      ],
      "b": [
        "+ 0043: UPDATE t SET a = 1"
      ]
    },
    "move": "Let the migration that runs later use the new name, and say which one comes first."
  },
  "M03": {
    "id": "M03",
    "name": "created-twice",
    "category": "schema",
    "severity": "blocking",
    "languages": [
      "sql",
      "python"
    ],
    "precision": 0.98,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 18,
      "real": 18
    },
    "what": "Two branches each create a table, an index, a type or a view of the same name. The database refuses the second one; with IF NOT EXISTS it keeps the first and says nothing, which matters where the two differ.",
    "example": {
      "a": [
        "+ CREATE TABLE inventory (…)"
      ],
      "b": [
        "+ CREATE TABLE inventory (…)"
      ]
    },
    "move": "Keep one of the two, or give one another name."
  },
  "N01": {
    "id": "N01",
    "name": "extinct-name",
    "category": "naming",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch takes a name out of the whole tree, by renaming or deleting it, and another branch uses it in new code: an environment variable, a translation or feature-flag key, an event, a CSS class, a CI job, a path. Works in every language, because it compares texts. A more specific rule about the name replaces it.",
    "example": {
      "a": [
        "- DATABASE_URL=…",
        "+ DB_URL=…"
      ],
      "b": [
        "+ connect(process.env.DATABASE_URL)"
      ]
    },
    "move": "Use the new name, or keep the old one until its last use is gone."
  },
  "N02": {
    "id": "N02",
    "name": "same-value-twice",
    "category": "naming",
    "severity": "minor",
    "languages": [
      "any"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 68,
      "real": 68
    },
    "what": "Two branches take the same value for different things where each may be taken once: a migration number, a port, an error code, a command-line flag, a route, a protobuf tag. The text merges, because the two lines are in different places.",
    "example": {
      "a": [
        "+ migrations/0042_phone.sql"
      ],
      "b": [
        "+ migrations/0042_plan.sql"
      ]
    },
    "move": "Give one of the two another value."
  },
  "D01": {
    "id": "D01",
    "name": "duplicate-implementation",
    "category": "duplicate",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 36,
      "real": 31
    },
    "what": "Two branches each add the same function: the same code, regardless of its name and the names of its parameters and locals. Together the project has it twice.",
    "example": {
      "a": [
        "+ const sleep = (ms) => new Promise((done) => setTimeout(done, ms))"
      ],
      "b": [
        "+ const delay = (time) => new Promise((go) => setTimeout(go, time))"
      ]
    },
    "move": "Keep one of them where both can import it."
  },
  "D02": {
    "id": "D02",
    "name": "near-duplicate",
    "category": "duplicate",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python",
      "go",
      "java",
      "rust",
      "php",
      "csharp",
      "ruby"
    ],
    "precision": 0.8,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 31,
      "real": 31
    },
    "what": "Two branches each add a function, and the two are nearly the same: four of five runs of tokens are equal, names of locals aside. From 60 tokens on.",
    "example": {
      "a": [
        "+ function retryWithBackoff(fn, times) { … }"
      ],
      "b": [
        "+ function withRetry(op, attempts) { … }   // the same loop"
      ]
    },
    "move": "Read both and keep one, with a parameter for what differs."
  },
  "D03": {
    "id": "D03",
    "name": "same-name-different-code",
    "category": "duplicate",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.6,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches each add a function of the same name and the same number of parameters to different modules, and the two do something different. A reader, or an import that is completed by name, takes one for the other. Names that base has already are a convention and are not reported.",
    "example": {
      "a": [
        "+ utils/money.ts: formatAmount(cents)"
      ],
      "b": [
        "+ lib/currency.ts: formatAmount(amount)"
      ]
    },
    "move": "Keep one of them, or say in the names how they differ."
  },
  "D04": {
    "id": "D04",
    "name": "copy-of-extracted-code",
    "category": "duplicate",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch takes a piece of code out into a function of its own, and another branch adds one more copy of the piece. Together the new function exists and the copy does not use it.",
    "example": {
      "a": [
        "+ export function validateEmail(text) { … }   // taken out of login.ts"
      ],
      "b": [
        "+ signup.ts: a copy of the lines of login.ts"
      ]
    },
    "move": "Call the new function instead of the copy."
  },
  "D05": {
    "id": "D05",
    "name": "one-concept-two-names",
    "category": "naming",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.6,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 33,
      "real": 33
    },
    "what": "Two branches give one concept different names, and something shows that it is one: both refer to the same column by a foreign key, name the same column, read the same environment variable, take the value from the same place in a JSON document, have the same type of an identity (`UserId`), or are filled with the same `user.id`.",
    "example": {
      "a": [
        "+ account_id = Column(ForeignKey('users.id'))"
      ],
      "b": [
        "+ user_id = Column(ForeignKey('users.id'))"
      ]
    },
    "move": "Agree on one of the two names."
  },
  "D06": {
    "id": "D06",
    "name": "divergent-constants",
    "category": "naming",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.8,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches each add a constant for the same limit, time or size to different files, with different values. Units in the names are taken into account: 5 seconds and 5000 ms are the same.",
    "example": {
      "a": [
        "+ web: MAX_UPLOAD = 10_000_000"
      ],
      "b": [
        "+ api: MAX_UPLOAD_BYTES = 5 * 1024 * 1024"
      ]
    },
    "move": "Decide on one value and import it in both places."
  },
  "D07": {
    "id": "D07",
    "name": "feature-twice",
    "category": "duplicate",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches each build the same thing: they add files of the same name in different folders that define the same names, or three or more functions that are the same.",
    "example": {
      "a": [
        "+ src/cache/lru.ts: class LruCache"
      ],
      "b": [
        "+ src/lib/lru-cache.ts: class LruCache"
      ]
    },
    "move": "Keep one of the two, and let the other branch use it."
  },
  "K01a": {
    "id": "K01a",
    "name": "old-registration",
    "category": "connection",
    "severity": "minor",
    "languages": [
      "any"
    ],
    "precision": 0.85,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch changes how things are registered: it moves or renames all files of a folder to another form, or replaces every call that registers something. Another branch adds one more in the old form, which nothing reads any longer.",
    "example": {
      "a": [
        "- plugins/mail.ts",
        "+ plugins/mail.plugin.ts   // and all others"
      ],
      "b": [
        "+ plugins/chat.ts"
      ]
    },
    "move": "Register the new thing in the new form."
  },
  "K01b": {
    "id": "K01b",
    "name": "missing-connection",
    "category": "connection",
    "severity": "minor",
    "single": true,
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.7,
    "alarms": {
      "merges": 1075,
      "with": 1
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "A branch adds a file to a folder whose files are all named in one place (an index, `__init__.py`, a list of routes, plugins, commands or apps, the entry points of a manifest), or a folder beside others whose files of that name are (`src/orders/orders.module.ts`), and neither that place nor any other code names the new one, not even with all branches together. The pattern is learned from the files beside it.",
    "example": {
      "a": [
        "+ src/commands/export.ts"
      ],
      "b": [
        "  src/commands/index.ts imports all others"
      ]
    },
    "move": "Register it where its neighbours are registered."
  },
  "K02": {
    "id": "K02",
    "name": "test-name-collision",
    "category": "connection",
    "severity": "minor",
    "languages": [
      "any"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches each add a test, a test module or a fixture of the same name where one of the two then hides the other or stops the test runner: the same title in one file, test modules of one name in folders without `__init__.py` (pytest), a fixture of the same name in a folder above, a function of the same name in one Go package.",
    "example": {
      "a": [
        "+ tests/api/test_users.py"
      ],
      "b": [
        "+ tests/web/test_users.py   # no __init__.py in either"
      ]
    },
    "move": "Give one of the two another name."
  },
  "K03": {
    "id": "K03",
    "name": "snapshot-of-changed-code",
    "category": "connection",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.7,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch adds or updates a snapshot, and another branch changes the function whose result it holds. The snapshot was taken with the old code.",
    "example": {
      "a": [
        "~ render() now sorts the keys"
      ],
      "b": [
        "+ __snapshots__/report.test.ts.snap"
      ]
    },
    "move": "Merge both, run the test again and read the difference before updating the snapshot."
  },
  "K04": {
    "id": "K04",
    "name": "test-dropped-while-code-changes",
    "category": "behaviour",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.8,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch removes or skips a test, and another branch changes the function that the test calls. Each is fine alone: one was still tested, the other had nothing to test. Together the change is not covered.",
    "example": {
      "a": [
        "- def test_rounding(): ...   # flaky"
      ],
      "b": [
        "~ def round_half(value): ..."
      ]
    },
    "move": "Restore the test for the changed function, or write another one."
  },
  "M04": {
    "id": "M04",
    "name": "dependency-version-conflict",
    "category": "dependency",
    "severity": "minor",
    "languages": [
      "any"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches ask for the same package in different manifests (package.json, pyproject.toml, requirements files), and no version satisfies both ranges. The project then has two copies, or cannot be installed.",
    "example": {
      "a": [
        "  packages/a: + \"zod\": \"^3.23\""
      ],
      "b": [
        "  packages/b: + \"zod\": \"^4.1\""
      ]
    },
    "move": "Agree on one range."
  },
  "M05": {
    "id": "M05",
    "name": "lock-out-of-sync",
    "category": "dependency",
    "severity": "minor",
    "languages": [
      "any"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "The text of the manifest and of its lock file merges, but the merged lock file no longer has what the merged manifest asks for, though it has in every branch alone. A clean install (`npm ci`) then fails. Read: package-lock.json, pnpm-lock.yaml, yarn.lock, poetry.lock, uv.lock.",
    "example": {
      "a": [
        "+ \"left-pad\" in package.json"
      ],
      "b": [
        "~ package-lock.json written again from scratch"
      ]
    },
    "move": "Write the lock file again after the merge."
  },
  "M06": {
    "id": "M06",
    "name": "dependency-removed",
    "category": "dependency",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch removes a package from the manifest, and another branch adds an import of it. Together the import fails, unless another package happens to install it.",
    "example": {
      "a": [
        "- \"lodash\" in package.json"
      ],
      "b": [
        "+ import debounce from \"lodash/debounce\""
      ]
    },
    "move": "Keep the package, or import something else."
  },
  "M07": {
    "id": "M07",
    "name": "undeclared-variable",
    "category": "dependency",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.9,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch renames or removes an environment variable where it is declared (`.env.example`, compose file, Dockerfile, workflow, manifest of Kubernetes), and another branch adds code that reads it. Nothing declares it then.",
    "example": {
      "a": [
        "- DATABASE_URL=…",
        "+ PG_URL=…"
      ],
      "b": [
        "+ connect(process.env.DATABASE_URL)"
      ]
    },
    "move": "Read the new variable, or declare the old one as well."
  },
  "M08": {
    "id": "M08",
    "name": "config-key-drift",
    "category": "dependency",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.8,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch renames or removes a key of a settings file (JSON, YAML, TOML), and another branch adds code that reads it: `config.cache.ttl`, `settings[\"cache\"][\"ttl\"]`, `config.get(\"cache.ttl\")`.",
    "example": {
      "a": [
        "- cache: { ttl: 60 }",
        "+ cache: { ttlSeconds: 60 }"
      ],
      "b": [
        "+ config.cache.ttl * 2"
      ]
    },
    "move": "Read the new key."
  },
  "M09": {
    "id": "M09",
    "name": "stricter-option",
    "category": "dependency",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.8,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "One branch turns on an option of the compiler, type checker or linter, and another branch adds code that the option refuses: untyped parameters under `noImplicitAny`, `strict` or `disallow_untyped_defs`, enums under `erasableSyntaxOnly`, `print` under ruff T20, `console` under `no-console`. Recognised by the form of the code; a type checker (`--confirm types`) proves more.",
    "example": {
      "a": [
        "+ \"noImplicitAny\": true"
      ],
      "b": [
        "+ export function total(prices) { … }"
      ]
    },
    "move": "Write the new code the way the option asks for."
  },
  "M10": {
    "id": "M10",
    "name": "resource-collision",
    "category": "dependency",
    "severity": "blocking",
    "languages": [
      "yaml",
      "any"
    ],
    "precision": 0.95,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches each add something that may exist once where it is deployed, under one name: a host port or a container name in the compose files of a folder, a Terraform resource in one module, a Kubernetes object in one namespace. The text merges; the deployment fails or one replaces the other.",
    "example": {
      "a": [
        "+ web: ports: [\"8080:80\"]"
      ],
      "b": [
        "+ admin: ports: [\"8080:3000\"]"
      ]
    },
    "move": "Give one of the two another port or name."
  },
  "G01": {
    "id": "G01",
    "name": "hot-symbol",
    "category": "risk",
    "severity": "minor",
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.7,
    "alarms": {
      "merges": 1075,
      "with": 0
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Three or more branches change the same function. Each pair may merge; the last one to land has read none of what the others made of it.",
    "example": {
      "a": [
        "~ createForm()"
      ],
      "b": [
        "~ createForm()   // and a third branch"
      ]
    },
    "move": "Land them one after the other, and read the function again before each."
  },
  "G02": {
    "id": "G02",
    "name": "shared-blast-radius",
    "category": "risk",
    "severity": "minor",
    "needsRisk": true,
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.6,
    "alarms": {
      "merges": 320,
      "with": 16
    },
    "measured": {
      "findings": 34,
      "real": 34
    },
    "what": "Two branches change different things, neither uses what the other changed, and yet the same tests or entry points depend on both. Nothing else was found between the two; these are the tests to run on both together. Found with `--risk`.",
    "example": {
      "a": [
        "~ db/pool.ts"
      ],
      "b": [
        "~ cache/index.ts   // api/server.test.ts depends on both"
      ]
    },
    "move": "Run the named tests on the union before landing the second one."
  },
  "G03": {
    "id": "G03",
    "name": "cluster-intrusion",
    "category": "risk",
    "severity": "minor",
    "needsRisk": true,
    "languages": [
      "typescript",
      "javascript",
      "python"
    ],
    "precision": 0.6,
    "alarms": {
      "merges": 320,
      "with": 4
    },
    "measured": {
      "findings": 28,
      "real": 28
    },
    "what": "A branch that works in one part of the code changes a symbol of another part that several parts depend on, and another branch works in that part. A part is a cluster of files that use each other more than others. Found with `--risk`.",
    "example": {
      "a": [
        "~ billing/*.ts",
        "~ auth/session.ts   # others lean on it"
      ],
      "b": [
        "~ auth/login.ts, auth/token.ts"
      ]
    },
    "move": "Leave the change to the branch that works there, or land it first and alone."
  },
  "V01": {
    "id": "V01",
    "name": "typescript-diagnostic",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "typescript",
      "javascript"
    ],
    "precision": 0.99,
    "what": "TypeScript reports an error in the union that it reports on no branch alone and not on the base. Where another rule has found the same cause, its finding carries what the compiler said instead, and blocks.",
    "example": {
      "a": [
        "- interface User { name: string }",
        "+ interface User { name: string | null }"
      ],
      "b": [
        "+ const title = user.name.toUpperCase();"
      ]
    },
    "move": "Adapt the place to the other branch, as you would after a merge; docs/type-checkers.md says which compiler was asked and how."
  },
  "V02": {
    "id": "V02",
    "name": "python-diagnostic",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "python"
    ],
    "precision": 0.98,
    "what": "Python or the project's type checker (mypy, pyright) reports an error in the union that it reports on no branch alone and not on the base.",
    "example": {
      "a": [
        "- def find(key: str) -> str: ...",
        "+ def find(key: str) -> str | None: ..."
      ],
      "b": [
        "+ return find(key).upper()"
      ]
    },
    "move": "Adapt the place to the other branch, as you would after a merge."
  },
  "V03": {
    "id": "V03",
    "name": "intent-test-fails",
    "category": "behaviour",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.99,
    "what": "A test that one branch adds or changes passes on that branch and fails on the union with another branch, each time it is run. Only joinery check --confirm tests looks for this: it runs code of the branches.",
    "example": {
      "a": [
        "+ test('a cart with a coupon', () => equal(total(cart, 'TEN'), 90))"
      ],
      "b": [
        "- const total = (cart) => sum(cart)",
        "+ const total = (cart) => sum(cart) + shipping(cart)"
      ]
    },
    "move": "Run the test on the union, decide which of the two behaviours is meant, and change the other branch."
  },
  "V04": {
    "id": "V04",
    "name": "build-fails",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "any"
    ],
    "precision": 0.99,
    "what": "The project's build succeeds on each branch and on the base, and fails on the union, each time it is run. Only joinery check --confirm build looks for this: it runs code of the branches.",
    "example": {
      "a": [
        "- pub fn total(cart: &Cart) -> u32",
        "+ pub fn total(cart: &Cart) -> Option<u32>"
      ],
      "b": [
        "+ let due = total(&cart) + shipping;"
      ]
    },
    "move": "Build the union, and adapt one branch to the other at the place that the output names."
  },
  "V05": {
    "id": "V05",
    "name": "compiler-diagnostic",
    "category": "interface",
    "severity": "blocking",
    "languages": [
      "go",
      "java",
      "csharp",
      "ruby",
      "php"
    ],
    "precision": 0.98,
    "what": "A compiler (go vet, javac, mcs, ruby -c, php -l) reports an error in the union that it reports on no branch alone and not on the base. It reads the sources and runs nothing of them.",
    "example": {
      "a": [
        "- func Find(id string) *User",
        "+ func Find(id string) (*User, error)"
      ],
      "b": [
        "+ name := store.Find(id).Name"
      ]
    },
    "move": "Adapt the place to the other branch, as you would after a merge."
  }
};
