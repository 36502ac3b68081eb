/** Names that the language, Node or a browser gives to every file, and types of the TypeScript library. */
const GLOBALS = new Set(
  `
  AggregateError Array ArrayBuffer AsyncFunction AsyncGenerator AsyncGeneratorFunction AsyncIterator Atomics BigInt
  BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array
  Float64Array Function Generator GeneratorFunction Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math
  NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError
  Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef
  WeakSet WebAssembly DisposableStack AsyncDisposableStack arguments decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape

  Buffer NodeJS __dirname __filename clearImmediate exports global module process require setImmediate

  AbortController AbortSignal BroadcastChannel ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto
  CryptoKey CustomEvent DOMException DecompressionStream Event EventSource EventTarget File FormData Headers MessageChannel
  MessageEvent MessagePort Navigator Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver
  PerformanceObserverEntryList PerformanceResourceTiming QueuingStrategy ReadableByteStreamController ReadableStream
  ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Request
  RequestInfo RequestInit Response ResponseInit Storage StorageEvent SubtleCrypto TextDecoder TextDecoderStream TextEncoder
  TextEncoderStream TransformStream TransformStreamDefaultController URL URLPattern URLSearchParams WebSocket WritableStream
  WritableStreamDefaultController WritableStreamDefaultWriter Blob atob btoa clearInterval clearTimeout console crypto fetch
  navigator performance queueMicrotask reportError setInterval setTimeout structuredClone localStorage sessionStorage

  Animation AnimationEvent Attr Audio AudioContext BarProp BeforeUnloadEvent CSS CSSRule CSSStyleDeclaration CSSStyleSheet
  CanvasRenderingContext2D CharacterData ClipboardEvent ClipboardItem CloseEvent Comment CompositionEvent CustomElementRegistry
  DOMMatrix DOMParser DOMPoint DOMRect DOMRectReadOnly DOMStringMap DOMTokenList DataTransfer DataTransferItem Document
  DocumentFragment DragEvent Element ElementInternals ErrorEvent FileList FileReader FocusEvent FontFace Gamepad Geolocation
  HTMLAnchorElement HTMLAudioElement HTMLBodyElement HTMLButtonElement HTMLCanvasElement HTMLCollection HTMLDetailsElement
  HTMLDialogElement HTMLDivElement HTMLDocument HTMLElement HTMLElementTagNameMap HTMLFieldSetElement HTMLFormElement
  HTMLHeadElement HTMLHeadingElement HTMLHtmlElement HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLLIElement
  HTMLLabelElement HTMLLinkElement HTMLMediaElement HTMLMetaElement HTMLOListElement HTMLOptGroupElement HTMLOptionElement
  HTMLParagraphElement HTMLPreElement HTMLProgressElement HTMLScriptElement HTMLSelectElement HTMLSlotElement HTMLSourceElement
  HTMLSpanElement HTMLStyleElement HTMLTableCellElement HTMLTableElement HTMLTableRowElement HTMLTableSectionElement
  HTMLTemplateElement HTMLTextAreaElement HTMLTitleElement HTMLUListElement HTMLVideoElement HashChangeEvent History IDBCursor
  IDBDatabase IDBFactory IDBIndex IDBKeyRange IDBObjectStore IDBOpenDBRequest IDBRequest IDBTransaction Image ImageBitmap
  ImageData InputEvent IntersectionObserver IntersectionObserverEntry KeyboardEvent Location MediaQueryList MediaQueryListEvent
  MediaRecorder MediaStream MediaStreamTrack MouseEvent MutationObserver MutationRecord NamedNodeMap Node NodeFilter NodeList
  NodeListOf Notification OffscreenCanvas Option PageTransitionEvent Path2D PointerEvent PopStateEvent ProgressEvent
  PromiseRejectionEvent RTCPeerConnection Range ResizeObserver ResizeObserverEntry SVGElement SVGSVGElement Screen Selection
  ServiceWorker ServiceWorkerRegistration ShadowRoot SharedWorker SpeechSynthesisUtterance StyleSheet SubmitEvent Text
  TextMetrics Touch TouchEvent TransitionEvent TreeWalker UIEvent ValidityState VisualViewport WebGL2RenderingContext
  WebGLRenderingContext WheelEvent Window Worker XMLHttpRequest XMLSerializer XPathResult addEventListener alert
  cancelAnimationFrame cancelIdleCallback caches close confirm customElements devicePixelRatio dispatchEvent document
  getComputedStyle getSelection history indexedDB innerHeight innerWidth location matchMedia open origin parent postMessage
  print prompt removeEventListener requestAnimationFrame requestIdleCallback screen scroll scrollTo self top visualViewport
  window importScripts

  Awaited Capitalize ClassDecorator ConstructorParameters Exclude Extract InstanceType Lowercase MethodDecorator NoInfer
  NonNullable Omit OmitThisParameter Parameters Partial Pick PropertyDecorator ParameterDecorator Readonly ReadonlyArray
  ReadonlyMap ReadonlySet Record Required ReturnType ThisParameterType ThisType Uncapitalize Uppercase ArrayLike
  ArrayBufferLike ArrayBufferView AsyncIterable AsyncIterableIterator AsyncIteratorObject BodyInit BufferSource CallableFunction
  ClassAccessorDecoratorContext ClassDecoratorContext ClassFieldDecoratorContext ClassGetterDecoratorContext
  ClassMethodDecoratorContext ClassSetterDecoratorContext ConcatArray DecoratorContext Disposable AsyncDisposable
  ErrorOptions EventListener EventListenerOrEventListenerObject AddEventListenerOptions HeadersInit IArguments ImportMeta
  ImportCallOptions ImportAttributes Iterable IterableIterator IteratorObject IteratorResult IteratorReturnResult
  IteratorYieldResult JsonWebKey MessageEventSource NewableFunction PromiseConstructor PromiseConstructorLike
  PromiseFulfilledResult PromiseLike PromiseRejectedResult PromiseSettledResult PropertyDescriptor PropertyDescriptorMap
  PropertyKey RegExpExecArray RegExpMatchArray SymbolConstructor TemplateStringsArray TypedPropertyDescriptor WeakKey
  ObjectConstructor ArrayConstructor ErrorConstructor FunctionConstructor StringConstructor NumberConstructor
  BooleanConstructor DateConstructor MapConstructor SetConstructor ReadableWritablePair ReadableStreamReadResult
  UnderlyingSource UnderlyingSink Transformer StructuredSerializeOptions BlobPropertyBag FilePropertyBag FrameRequestCallback
  GlobalEventHandlers EventInit CustomEventInit DocumentEventMap WindowEventMap HTMLElementEventMap CanvasImageSource
  BlobPart Transferable XMLHttpRequestBodyInit JSX const
  `
    .trim()
    .split(/\s+/),
);

/** A name that is expected to be bound by no file. */
export function isGlobal(name: string): boolean {
  return GLOBALS.has(name);
}
