/**
 * Takes the outputs of one part in their order. The part knows nothing of what follows from them: the owner of the sink
 * routes them. A part whose outputs are asynchronous gets one instead of returning them from `step`.
 */
export interface Sink<Output, Result = void> {
  take(output: Output): Result
}
