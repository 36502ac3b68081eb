import type { DefinitionKind } from '#code/facts/facts.ts';
import type { Dialect } from '#code/languages/dialect.ts';
import { bindArguments } from '#code/languages/shared/bind-arguments.ts';
import { cautious } from '#code/languages/shared/cautious.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { createRubyResolver } from './resolve-ruby.ts';
import { standardLibrary } from './standard-library.ts';

/** A class may be reopened; a method that is defined again replaces the first one. */
const definedOnce = new Set<DefinitionKind>(['function', 'method', 'constructor']);

export const ruby: Dialect = {
  ...cautious,
  declaresInComments: false,
  imports: {
    ...cautious.imports,
    isStandard: (name) => standardLibrary.has(name),
    openResolver: createRubyResolver,
    // A gem defines its own constants, not those of the project that requires it.
    packagesBringNames: false,
  },
  names: {
    ...cautious.names,
    duplicates: (facts) => clashesByName(facts, (plain) => plain.filter(({ kind }) => definedOnce.has(kind))),
  },
  calls: {
    ...cautious.calls,
    bind(parameters, call) {
      const takesKeywords = parameters.some(({ kind }) => kind === 'keyword-only' || kind === 'keyword-rest');
      if (takesKeywords || call.keywords.length === 0) return bindArguments(parameters, call);
      // A method without keywords takes them as one hash.
      return bindArguments(parameters, { ...call, positional: call.positional + 1, keywords: [] });
    },
    isEnforced: true,
  },
  classes: {
    ...cautious.classes,
    constructorName: 'initialize',
    madeConstructor: () => null,
    mayBeReplaced: () => false,
    keepsMembers: () => true,
    isGiven: (name, access) => ofEveryObject.has(name) || (access === 'static' && ofEveryClass.has(name)),
  },
};

/** Methods that every object has. */
const ofEveryObject = new Set(
  `class clone define_singleton_method display dup enum_for eql? equal? extend freeze frozen? hash inspect instance_of?
  instance_variable_defined? instance_variable_get instance_variable_set instance_variables is_a? itself kind_of? method
  methods nil? object_id public_send respond_to? send singleton_class tap then to_enum to_s yield_self`.split(
    /\s+/,
  ),
);
/** Further methods that every class has. */
const ofEveryClass = new Set(
  `allocate ancestors attr_accessor class_eval class_exec const_get const_set constants define_method include include?
  instance_method instance_methods method_defined? module_eval name new public_instance_methods remove_method
  superclass undef_method`.split(/\s+/),
);
