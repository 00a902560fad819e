/** The server cannot start for a reason that whoever starts it can mend. The message is one sentence for them. */
export class StartError extends Error {
  override readonly name = "StartError"
}
