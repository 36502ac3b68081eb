/**
 * Where oxc's raw-transfer buffer stores the nodes we read, for exactly this version of the parser.
 *
 * `experimentalLazy` reads the same buffer, but the lazy classes of this version omit what we need (superclasses, rest elements,
 * annotations of variables, `this` parameters), so we read the buffer ourselves. Offsets are those of
 * `oxc-parser/src-js/generated/deserialize/ts.js`; a test compares the two line by line.
 *
 * A structure is `Name Kind part… flag…`:
 *   Kind `^` writes no node: its parts replace it; `-` is `Other`; `!` is left out with everything below it
 *   `role:Type@n` an inline enum or structure, `role:*Type@n` a pointer to one, `role:[Type/size]@n` a vector
 *   role `^` is the role of the structure itself; a part that ends in `?` exists only if the previous part does
 *   `+flag@n` a boolean, `+flag@n=v` a byte that equals v
 */
export const oxcVersion = '0.154.0';

export const structureLayouts = `
Program Program statement:[Statement/16]@112
BooleanLiteral -
NullLiteral -
NumericLiteral Number
BigIntLiteral -
RegExpLiteral RegExp
StringLiteral String
TemplateLiteral Template expression:[Expression/16]@40
IdentifierReference Reference
BindingIdentifier Binding
IdentifierName Name
PrivateIdentifier PrivateName
LabelIdentifier !
Super Super
ThisExpression This
ImportMeta -
NewTarget -
Elision !
ArrayExpression - element:[ArrayExpressionElement/16]@16
ObjectExpression Object member:[ObjectPropertyKind/16]@16
ObjectProperty Property key:PropertyKey@16 value:Expression@32 +getter@12=1 +setter@12=2 +method@13 +shorthand@14 +computed@15
SpreadElement Spread operand:Expression@16
TaggedTemplateExpression TaggedTemplate tag:Expression@16 typeArgument:*TSTypeParameterInstantiation@32 other:TemplateLiteral@40
ComputedMemberExpression ComputedMember object:Expression@16 property:Expression@32 +optional@12
StaticMemberExpression Member object:Expression@16 property:IdentifierName@32 +optional@12
PrivateFieldExpression PrivateMember object:Expression@16 property:PrivateIdentifier@32 +optional@12
CallExpression Call callee:Expression@16 typeArgument:*TSTypeParameterInstantiation@32 argument:[Argument/16]@40 +optional@12
NewExpression New callee:Expression@16 typeArgument:*TSTypeParameterInstantiation@32 argument:[Argument/16]@40
UpdateExpression Update operand:SimpleAssignmentTarget@16
UnaryExpression Unary operand:Expression@16 +not@12=2 +typeof@12=4
BinaryExpression Binary left:Expression@16 right:Expression@32 +in@12=20 +instanceof@12=21
PrivateInExpression Binary left:PrivateIdentifier@16 right:Expression@48
LogicalExpression Logical left:Expression@16 right:Expression@32
ConditionalExpression Conditional test:Expression@16 other:Expression@32 other:Expression@48
AssignmentExpression Assignment left:AssignmentTarget@16 right:Expression@32 +plainAssignment@12=0
ArrayAssignmentTarget ArrayTarget element:[AssignmentTargetMaybeDefault/16]@16 rest:*AssignmentTargetRest@40
ObjectAssignmentTarget ObjectTarget member:[AssignmentTargetProperty/16]@16 rest:*AssignmentTargetRest@40
AssignmentTargetRest TargetRest operand:AssignmentTarget@16
AssignmentTargetWithDefault TargetDefault left:AssignmentTarget@16 right:Expression@32
AssignmentTargetPropertyIdentifier TargetShorthand left:IdentifierReference@16 right:Expression@48
AssignmentTargetPropertyProperty TargetProperty key:PropertyKey@16 value:AssignmentTargetMaybeDefault@32 +computed@12
SequenceExpression - expression:[Expression/16]@16
AwaitExpression Await operand:Expression@16
YieldExpression - operand:Expression@16
ChainExpression ^ ^:ChainElement@16
ParenthesizedExpression ^ ^:Expression@16
ImportExpression ImportCall source:Expression@16 other:Expression@32
V8IntrinsicExpression - argument:[Argument/16]@48
TSAsExpression As expression:Expression@16 type:TSType@32
TSSatisfiesExpression Satisfies expression:Expression@16 type:TSType@32
TSTypeAssertion As type:TSType@16 expression:Expression@32
TSNonNullExpression ^ ^:Expression@16
TSInstantiationExpression Instantiation expression:Expression@16 typeArgument:*TSTypeParameterInstantiation@32
BlockStatement Block statement:[Statement/16]@16
BreakStatement !
ContinueStatement !
DebuggerStatement !
EmptyStatement !
DoWhileStatement While body:Statement@16 test:Expression@32
WhileStatement While test:Expression@16 body:Statement@32
ExpressionStatement ExpressionStatement expression:Expression@16
ForStatement For init:ForStatementInit@16 test:Expression@32 other:Expression@48 body:Statement@64
ForInStatement For left:ForStatementLeft@16 right:Expression@32 body:Statement@48
ForOfStatement For left:ForStatementLeft@16 right:Expression@32 body:Statement@48
IfStatement If test:Expression@16 body:Statement@32 body:Statement@48
LabeledStatement ^ ^:Statement@48
ReturnStatement Return operand:Expression@16
SwitchStatement Switch test:Expression@16 body:[SwitchCase/56]@32
SwitchCase - test:Expression@16 statement:[Statement/16]@32
ThrowStatement - operand:Expression@16
TryStatement Try block:*BlockStatement@16 handler:*CatchClause@24 block:*BlockStatement@32
CatchClause Catch parameter:CatchParameter@16 body:*BlockStatement@56
CatchParameter ^ ^:BindingPattern@16
WithStatement - object:Expression@16 body:Statement@32
VariableDeclaration Variables declaration:[VariableDeclarator/56]@16 +var@12=0 +const@12=2 +const@12=3 +const@12=4 +declare@13
VariableDeclarator Variable id:BindingPattern@16 type:*TSTypeAnnotation@32 init:Expression@40
AssignmentPattern PatternDefault left:BindingPattern@16 right:Expression@32
ObjectPattern ObjectPattern member:[BindingProperty/48]@16 rest:*BindingRestElement@40
BindingProperty PatternProperty key:PropertyKey@16 value:BindingPattern@32 +shorthand@12 +computed@13
ArrayPattern ArrayPattern element:[BindingPattern/16]@16 rest:*BindingRestElement@40
BindingRestElement PatternRest operand:BindingPattern@16
Function Function id:BindingIdentifier@16 typeParameter:*TSTypeParameterDeclaration@48 parameter:*TSThisParameter@56 parameter:*FormalParameters@64 returns:*TSTypeAnnotation@72 body:*FunctionBody@80 +declaration@88=0 +declaration@88=2 +bodiless@88=2 +bodiless@88=3 +generator@89 +async@90 +declare@91
FormalParameters ^ ^:[FormalParameter/72]@16 ^:*FormalParameterRest@40
FormalParameter Parameter decorator:[Decorator/32]@16 id:BindingPattern@40 type:*TSTypeAnnotation@56 default:*Expression@64 +optional@12 +parameterProperty@13=0 +parameterProperty@13=1 +parameterProperty@13=2 +parameterProperty@14 +parameterProperty@15 +readonly@14
FormalParameterRest RestParameter decorator:[Decorator/32]@16 id:BindingPattern@56 type:*TSTypeAnnotation@72
TSThisParameter ThisParameter type:*TSTypeAnnotation@24
FunctionBody FunctionBody statement:[Statement/16]@40
ArrowFunctionExpression Arrow typeParameter:*TSTypeParameterDeclaration@16 parameter:*FormalParameters@24 returns:*TSTypeAnnotation@32 body:ArrowFunctionBody@40 +async@56
Class Class decorator:[Decorator/32]@16 id:BindingIdentifier@40 typeParameter:*TSTypeParameterDeclaration@72 super:Expression@80 typeArgument:*TSTypeParameterInstantiation@96? implements:[TSClassImplements/40]@104 body:*ClassBody@128 +declaration@136=0 +abstract@137 +declare@138
ClassBody ClassBody member:[ClassElement/16]@16
MethodDefinition Method decorator:[Decorator/32]@16 key:PropertyKey@40 value:*Function@56 +abstract@12=1 +constructor@13=0 +getter@13=2 +setter@13=3 +computed@14 +static@15 +optional@65
PropertyDefinition Field decorator:[Decorator/32]@16 key:PropertyKey@40 type:*TSTypeAnnotation@56 value:Expression@64 +abstract@12=1 +computed@13 +static@14 +declare@15 +optional@81 +readonly@83
AccessorProperty Field decorator:[Decorator/32]@16 key:PropertyKey@40 type:*TSTypeAnnotation@56 value:Expression@64 +abstract@12=1 +computed@13 +static@14
StaticBlock StaticBlock statement:[Statement/16]@16
Decorator Decorator expression:Expression@16
ImportDeclaration Import specifier:[ImportDeclarationSpecifier/16]@16 source:StringLiteral@40 +typeOnly@13
ImportSpecifier ImportName imported:ModuleExportName@16 local:BindingIdentifier@72 +typeOnly@12
ImportDefaultSpecifier ImportDefault local:BindingIdentifier@16
ImportNamespaceSpecifier ImportNamespace local:BindingIdentifier@16
ExportDeclaration ExportDeclaration declaration:Declaration@16
ExportNamedDeclaration ExportNames specifier:[ExportSpecifier/128]@16 +typeOnly@12
ExportFromDeclaration ExportFrom specifier:[ExportSpecifier/128]@16 source:StringLiteral@40 +typeOnly@12
ExportDefaultDeclaration ExportDefault declaration:ExportDefaultDeclarationKind@16
ExportAllDeclaration ExportAll exported:ModuleExportName@16 source:StringLiteral@72 +typeOnly@12
ExportSpecifier ExportName local:ModuleExportName@16 exported:ModuleExportName@72 +typeOnly@12
TSImportEqualsDeclaration ImportEquals id:BindingIdentifier@16 value:TSModuleReference@48 +typeOnly@12
TSExternalModuleReference ExternalModule source:StringLiteral@16
TSExportAssignment ExportAssignment expression:Expression@16
TSNamespaceExportDeclaration !
JSXElement - other:*JSXOpeningElement@16 other:[JSXChild/16]@24
JSXOpeningElement JsxOpening jsxName:JSXElementName@16 typeArgument:*TSTypeParameterInstantiation@32 other:[JSXAttributeItem/16]@40
JSXFragment - other:[JSXChild/16]@32
JSXIdentifier Name
JSXNamespacedName !
JSXMemberExpression JsxMember object:JSXMemberExpressionObject@16 property:JSXIdentifier@32
JSXExpressionContainer ^ other:JSXExpression@16
JSXEmptyExpression !
JSXAttribute ^ other:JSXAttributeValue@32
JSXSpreadAttribute ^ other:Expression@16
JSXSpreadChild ^ other:Expression@16
JSXText JsxText
TSEnumDeclaration Enum id:BindingIdentifier@16 ^:TSEnumBody@48 +const@12 +declare@13
TSEnumBody ^ member:[TSEnumMember/48]@16
TSEnumMember EnumMember key:TSEnumMemberName@16 init:Expression@32 +computed@16=2 +computed@16=3
TSTypeAnnotation ^ ^:TSType@16
TSLiteralType - other:TSLiteral@16
TSAnyKeyword -
TSBigIntKeyword -
TSBooleanKeyword -
TSIntrinsicKeyword -
TSNeverKeyword -
TSNullKeyword Nullish
TSNumberKeyword -
TSObjectKeyword -
TSStringKeyword -
TSSymbolKeyword -
TSThisType -
TSUndefinedKeyword Nullish
TSUnknownKeyword -
TSVoidKeyword -
TSArrayType - element:TSType@16
TSConditionalType ConditionalType other:TSType@16 extends:TSType@32 other:TSType@48 other:TSType@64
TSConstructorType ConstructorType typeParameter:*TSTypeParameterDeclaration@16 parameter:*FormalParameters@24 returns:*TSTypeAnnotation@32
TSFunctionType FunctionType typeParameter:*TSTypeParameterDeclaration@16 parameter:*TSThisParameter@24 parameter:*FormalParameters@32 returns:*TSTypeAnnotation@40
TSImportType ImportType source:StringLiteral@16 other:*ObjectExpression@64 qualifier:TSImportTypeQualifier@72 typeArgument:*TSTypeParameterInstantiation@88
TSImportTypeQualifiedName QualifiedName left:TSImportTypeQualifier@16 right:IdentifierName@32
TSIndexedAccessType - object:TSType@16 other:TSType@32
TSInferType InferType typeParameter:*TSTypeParameter@16
TSIntersectionType Intersection type:[TSType/16]@16
TSMappedType MappedType id:BindingIdentifier@16 constraint:TSType@48 other:TSType@64 type:TSType@80
TSNamedTupleMember - element:TSTupleElement@48
TSOptionalType - element:TSType@16
TSRestType - element:TSType@16
TSTemplateLiteralType - other:[TSType/16]@40
TSTupleType - element:[TSTupleElement/16]@16
TSTypeLiteral TypeLiteral member:[TSSignature/16]@16
TSTypeOperator TypeOperator type:TSType@16 +readonly@12=2
TSTypePredicate - type:*TSTypeAnnotation@32
TSTypeQuery TypeQuery typeName:TSTypeQueryExprName@16 typeArgument:*TSTypeParameterInstantiation@32
TSTypeReference TypeReference typeName:TSTypeName@16 typeArgument:*TSTypeParameterInstantiation@32
TSQualifiedName QualifiedName left:TSTypeName@16 right:IdentifierName@32
TSUnionType Union type:[TSType/16]@16
TSParenthesizedType ^ ^:TSType@16
JSDocNullableType - type:TSType@16
JSDocNonNullableType - type:TSType@16
JSDocUnknownType -
TSTypeParameterInstantiation ^ ^:[TSType/16]@16
TSTypeParameterDeclaration ^ ^:[TSTypeParameter/80]@16
TSTypeParameter TypeParameter id:BindingIdentifier@16 constraint:TSType@48 default:TSType@64
TSTypeAliasDeclaration TypeAlias id:BindingIdentifier@16 typeParameter:*TSTypeParameterDeclaration@48 type:TSType@56 +declare@72
TSClassImplements Implements typeName:TSTypeName@16 typeArgument:*TSTypeParameterInstantiation@32
TSInterfaceDeclaration Interface id:BindingIdentifier@16 typeParameter:*TSTypeParameterDeclaration@48 extends:[TSInterfaceHeritage/40]@56 ^:*TSInterfaceBody@80 +declare@88
TSInterfaceBody ^ member:[TSSignature/16]@16
TSInterfaceHeritage Heritage typeName:TSTypeName@16 typeArgument:*TSTypeParameterInstantiation@32
TSPropertySignature PropertySignature key:PropertyKey@16 type:*TSTypeAnnotation@32 +computed@12 +optional@13 +readonly@14
TSIndexSignature IndexSignature type:TSIndexSignatureName@16 returns:*TSTypeAnnotation@56
TSIndexSignatureName ^ ^:*TSTypeAnnotation@32
TSCallSignatureDeclaration CallSignature typeParameter:*TSTypeParameterDeclaration@16 parameter:*TSThisParameter@24 parameter:*FormalParameters@32 returns:*TSTypeAnnotation@40
TSMethodSignature MethodSignature key:PropertyKey@16 typeParameter:*TSTypeParameterDeclaration@32 parameter:*TSThisParameter@40 parameter:*FormalParameters@48 returns:*TSTypeAnnotation@56 +computed@64 +optional@65 +getter@66=1 +setter@66=2
TSConstructSignatureDeclaration ConstructSignature typeParameter:*TSTypeParameterDeclaration@16 parameter:*FormalParameters@24 returns:*TSTypeAnnotation@32
TSExternalModuleDeclaration AmbientModule source:StringLiteral@16 body:*TSModuleBlock@64 +declare@72
TSNamespaceDeclaration Namespace id:BindingIdentifier@16 body:TSNamespaceDeclarationBody@48 +declare@65
TSGlobalDeclaration GlobalModule body:TSModuleBlock@24 +declare@88
TSModuleBlock ModuleBlock statement:[Statement/16]@40
`;

/** Discriminants of the enums; `A + B` continues the variants of A. A variant is a pointer unless it is marked `=`. */
export const enumLayouts = `
Expression 0:BooleanLiteral 1:NullLiteral 2:NumericLiteral 3:BigIntLiteral 4:RegExpLiteral 5:StringLiteral 6:TemplateLiteral 7:IdentifierReference 8:Super 9:ArrayExpression 10:ArrowFunctionExpression 11:AssignmentExpression 12:AwaitExpression 13:BinaryExpression 14:CallExpression 15:ChainExpression 16:Class 17:ConditionalExpression 18:Function 19:ImportExpression 20:LogicalExpression 21:NewExpression 22:ObjectExpression 23:ParenthesizedExpression 24:SequenceExpression 25:TaggedTemplateExpression 26:ThisExpression 27:UnaryExpression 28:UpdateExpression 29:YieldExpression 30:PrivateInExpression 31:ImportMeta 32:NewTarget 33:JSXElement 34:JSXFragment 35:TSAsExpression 36:TSSatisfiesExpression 37:TSTypeAssertion 38:TSNonNullExpression 39:TSInstantiationExpression 40:V8IntrinsicExpression 48:ComputedMemberExpression 49:StaticMemberExpression 50:PrivateFieldExpression
ArrayExpressionElement + Expression 64:SpreadElement 65:Elision
PropertyKey + Expression 64:IdentifierName 65:PrivateIdentifier
Argument + Expression 64:SpreadElement
ForStatementInit + Expression 64:VariableDeclaration
ArrowFunctionBody + Expression 64:FunctionBody
ExportDefaultDeclarationKind + Expression 64:Function 65:Class 66:TSInterfaceDeclaration
JSXExpression + Expression 64:JSXEmptyExpression
ObjectPropertyKind 0:ObjectProperty 1:SpreadElement
SimpleAssignmentTarget 0:IdentifierReference 1:TSAsExpression 2:TSSatisfiesExpression 3:TSNonNullExpression 4:TSTypeAssertion 48:ComputedMemberExpression 49:StaticMemberExpression 50:PrivateFieldExpression
AssignmentTarget + SimpleAssignmentTarget 8:ArrayAssignmentTarget 9:ObjectAssignmentTarget
AssignmentTargetMaybeDefault + AssignmentTarget 16:AssignmentTargetWithDefault
AssignmentTargetProperty 0:AssignmentTargetPropertyIdentifier 1:AssignmentTargetPropertyProperty
ForStatementLeft + AssignmentTarget 16:VariableDeclaration
ChainElement 0:CallExpression 1:TSNonNullExpression 48:ComputedMemberExpression 49:StaticMemberExpression 50:PrivateFieldExpression
Declaration 32:VariableDeclaration 33:Function 34:Class 35:TSTypeAliasDeclaration 36:TSInterfaceDeclaration 37:TSEnumDeclaration 38:TSExternalModuleDeclaration 39:TSNamespaceDeclaration 40:TSGlobalDeclaration 41:TSImportEqualsDeclaration
Statement + Declaration 0:BlockStatement 1:BreakStatement 2:ContinueStatement 3:DebuggerStatement 4:DoWhileStatement 5:EmptyStatement 6:ExpressionStatement 7:ForInStatement 8:ForOfStatement 9:ForStatement 10:IfStatement 11:LabeledStatement 12:ReturnStatement 13:SwitchStatement 14:ThrowStatement 15:TryStatement 16:WhileStatement 17:WithStatement 64:ImportDeclaration 65:ExportAllDeclaration 66:ExportDefaultDeclaration 67:ExportDeclaration 68:ExportNamedDeclaration 69:ExportFromDeclaration 70:TSExportAssignment 71:TSNamespaceExportDeclaration
BindingPattern 0:BindingIdentifier 1:ObjectPattern 2:ArrayPattern 3:AssignmentPattern
ClassElement 0:StaticBlock 1:MethodDefinition 2:PropertyDefinition 3:AccessorProperty 4:TSIndexSignature
ImportDeclarationSpecifier 0:ImportSpecifier 1:ImportDefaultSpecifier 2:ImportNamespaceSpecifier
ModuleExportName 0:=IdentifierName 1:=IdentifierReference 2:=StringLiteral
JSXElementName 0:JSXIdentifier 1:IdentifierReference 2:JSXNamespacedName 3:JSXMemberExpression 4:ThisExpression
JSXMemberExpressionObject 0:IdentifierReference 1:JSXMemberExpression 2:ThisExpression
JSXAttributeItem 0:JSXAttribute 1:JSXSpreadAttribute
JSXAttributeValue 0:StringLiteral 1:JSXExpressionContainer 2:JSXElement 3:JSXFragment
JSXChild 0:JSXText 1:JSXElement 2:JSXFragment 3:JSXExpressionContainer 4:JSXSpreadChild
TSEnumMemberName 0:IdentifierName 1:StringLiteral 2:StringLiteral 3:TemplateLiteral
TSLiteral 0:BooleanLiteral 1:NumericLiteral 2:BigIntLiteral 3:StringLiteral 4:TemplateLiteral 5:UnaryExpression
TSType 0:TSAnyKeyword 1:TSBigIntKeyword 2:TSBooleanKeyword 3:TSIntrinsicKeyword 4:TSNeverKeyword 5:TSNullKeyword 6:TSNumberKeyword 7:TSObjectKeyword 8:TSStringKeyword 9:TSSymbolKeyword 10:TSThisType 11:TSUndefinedKeyword 12:TSUnknownKeyword 13:TSVoidKeyword 14:TSArrayType 15:TSConditionalType 16:TSConstructorType 17:TSFunctionType 18:TSImportType 19:TSIndexedAccessType 20:TSInferType 21:TSIntersectionType 22:TSLiteralType 23:TSMappedType 24:TSNamedTupleMember 26:TSTemplateLiteralType 27:TSTupleType 28:TSTypeLiteral 29:TSTypeOperator 30:TSTypePredicate 31:TSTypeQuery 32:TSTypeReference 33:TSUnionType 34:TSParenthesizedType 35:JSDocNullableType 36:JSDocNonNullableType 37:JSDocUnknownType
TSTupleElement + TSType 64:TSOptionalType 65:TSRestType
TSTypeName 0:IdentifierReference 1:TSQualifiedName 2:ThisExpression
TSTypeQueryExprName + TSTypeName 3:TSImportType
TSImportTypeQualifier 0:IdentifierName 1:TSImportTypeQualifiedName
TSSignature 0:TSIndexSignature 1:TSPropertySignature 2:TSCallSignatureDeclaration 3:TSConstructSignatureDeclaration 4:TSMethodSignature
TSModuleReference 0:TSExternalModuleReference 1:IdentifierReference 2:TSQualifiedName
TSNamespaceDeclarationBody 0:TSNamespaceDeclaration 1:TSModuleBlock
`;

/** Offsets of the errors inside the transferred data. */
export const errorLayout = { vector: 272, size: 80, message: 0, labels: 16 } as const;
