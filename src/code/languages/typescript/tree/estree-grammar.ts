/**
 * Maps the ESTree objects of oxc to the flat tree, for systems where its buffer cannot be read.
 *
 * A line is `Type Kind part… flag…`; Kind `^` writes no node, `-` is `Other`, `!` is left out with everything below it. A part is
 * `role:property`; the role `^` is the role of the node itself. The meaning of an identifier may follow: `=Binding`, `=Name`; the default
 * is a reference. A flag is `+flag:property` or `+flag:property=value`. Types that need more than a line are in `estree-special.ts`.
 */
export const estree = `
Program Program statement:body
TemplateLiteral Template expression:expressions
PrivateIdentifier PrivateName
Super Super
ThisExpression This
MetaProperty -
ArrayExpression - element:elements
ObjectExpression Object member:properties
SpreadElement Spread operand:argument
TaggedTemplateExpression TaggedTemplate tag:tag typeArgument:typeArguments other:quasi
CallExpression Call callee:callee typeArgument:typeArguments argument:arguments +optional:optional
NewExpression New callee:callee typeArgument:typeArguments argument:arguments
UpdateExpression Update operand:argument
UnaryExpression Unary operand:argument +not:operator=! +typeof:operator=typeof
LogicalExpression Logical left:left right:right
ConditionalExpression Conditional test:test other:consequent other:alternate
AssignmentExpression Assignment left:left right:right +plainAssignment:operator==
SequenceExpression - expression:expressions
AwaitExpression Await operand:argument
YieldExpression - operand:argument
ChainExpression ^ ^:expression
ParenthesizedExpression ^ ^:expression
ImportExpression ImportCall source:source other:options
V8IntrinsicExpression - argument:arguments
TSAsExpression As expression:expression type:typeAnnotation
TSSatisfiesExpression Satisfies expression:expression type:typeAnnotation
TSTypeAssertion As type:typeAnnotation expression:expression
TSNonNullExpression ^ ^:expression
TSInstantiationExpression Instantiation expression:expression typeArgument:typeArguments
BlockStatement Block statement:body
BreakStatement !
ContinueStatement !
DebuggerStatement !
EmptyStatement !
DoWhileStatement While body:body test:test
WhileStatement While test:test body:body
ForStatement For init:init test:test other:update body:body
ForInStatement For left:left right:right body:body
ForOfStatement For left:left right:right body:body
IfStatement If test:test body:consequent body:alternate
LabeledStatement ^ ^:body
ReturnStatement Return operand:argument
SwitchStatement Switch test:discriminant body:cases
SwitchCase - test:test statement:consequent
ThrowStatement - operand:argument
TryStatement Try block:block handler:handler block:finalizer
CatchClause Catch parameter:param=Binding body:body
WithStatement - object:object body:body
VariableDeclaration Variables declaration:declarations +var:kind=var +const:kind=const +const:kind=using +const:kind=await_using +declare:declare
ClassBody ClassBody member:body
StaticBlock StaticBlock statement:body
Decorator Decorator expression:expression
ImportDeclaration Import specifier:specifiers source:source +typeOnly:importKind=type
ImportSpecifier ImportName imported:imported=Name local:local=Binding +typeOnly:importKind=type
ImportDefaultSpecifier ImportDefault local:local=Binding
ImportNamespaceSpecifier ImportNamespace local:local=Binding
ExportDefaultDeclaration ExportDefault declaration:declaration
ExportAllDeclaration ExportAll exported:exported=Name source:source +typeOnly:exportKind=type
TSImportEqualsDeclaration ImportEquals id:id=Binding value:moduleReference +typeOnly:importKind=type
TSExternalModuleReference ExternalModule source:expression
TSExportAssignment ExportAssignment expression:expression
TSNamespaceExportDeclaration !
JSXElement - other:openingElement other:children
JSXOpeningElement JsxOpening jsxName:name typeArgument:typeArguments other:attributes
JSXFragment - other:children
JSXNamespacedName !
JSXMemberExpression JsxMember object:object property:property=Name
JSXExpressionContainer ^ other:expression
JSXEmptyExpression !
JSXAttribute ^ other:value
JSXSpreadAttribute ^ other:argument
JSXSpreadChild ^ other:expression
JSXText JsxText
TSEnumDeclaration Enum id:id=Binding ^:body +const:const +declare:declare
TSEnumBody ^ member:members
TSEnumMember EnumMember key:id=Name init:initializer +computed:computed
TSTypeAnnotation ^ ^:typeAnnotation
TSLiteralType - other:literal
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
TSArrayType - element:elementType
TSConditionalType ConditionalType other:checkType extends:extendsType other:trueType other:falseType
TSImportType ImportType source:source other:options qualifier:qualifier=Name typeArgument:typeArguments
TSIndexedAccessType - object:objectType other:indexType
TSInferType InferType typeParameter:typeParameter
TSIntersectionType Intersection type:types
TSMappedType MappedType id:key=Binding constraint:constraint other:nameType type:typeAnnotation
TSNamedTupleMember - element:elementType
TSOptionalType - element:typeAnnotation
TSRestType - element:typeAnnotation
TSTemplateLiteralType - other:types
TSTupleType - element:elementTypes
TSTypeLiteral TypeLiteral member:members
TSTypeOperator TypeOperator type:typeAnnotation +readonly:operator=readonly
TSTypePredicate - type:typeAnnotation
TSTypeQuery TypeQuery typeName:exprName typeArgument:typeArguments
TSTypeReference TypeReference typeName:typeName typeArgument:typeArguments
TSUnionType Union type:types
TSParenthesizedType ^ ^:typeAnnotation
TSJSDocNullableType - type:typeAnnotation
TSJSDocNonNullableType - type:typeAnnotation
TSJSDocUnknownType -
TSTypeParameterInstantiation ^ ^:params
TSTypeParameterDeclaration ^ ^:params
TSTypeParameter TypeParameter id:name=Binding constraint:constraint default:default
TSTypeAliasDeclaration TypeAlias id:id=Binding typeParameter:typeParameters type:typeAnnotation +declare:declare
TSClassImplements Implements typeName:expression typeArgument:typeArguments
TSInterfaceDeclaration Interface id:id=Binding typeParameter:typeParameters extends:extends ^:body +declare:declare
TSInterfaceBody ^ member:body
TSInterfaceHeritage Heritage typeName:expression typeArgument:typeArguments
TSModuleBlock ModuleBlock statement:body
ClassDeclaration Class decorator:decorators id:id=Binding typeParameter:typeParameters super:superClass typeArgument:superTypeArguments implements:implements body:body +declaration:type=ClassDeclaration +abstract:abstract +declare:declare
ClassExpression Class decorator:decorators id:id=Binding typeParameter:typeParameters super:superClass typeArgument:superTypeArguments implements:implements body:body +abstract:abstract +declare:declare
`;
