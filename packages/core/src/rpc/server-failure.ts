import { KeymootError } from "../api/index.ts"

/** The error for a server's refusal, or for its silence. Its own words are for developers. */
export function serverFailure({ code, message }: { readonly code: string; readonly message: string }): KeymootError {
  switch (code) {
    case "server-unreachable":
      return new KeymootError(
        code,
        "The server cannot be reached. Check your connection and the server's address, then try again.",
      )
    case "other-version":
      return new KeymootError(
        "other-server-version",
        "The server speaks another version of this protocol. Reload the page, or update the older of the two.",
      )
    case "unknown-conference":
      return new KeymootError(
        code,
        "The server knows no such conference. It may be over, or the link may lead to another server.",
      )
    case "storage-full":
      return new KeymootError("server-full", "The server can store no more of these now. Try again later.")
    default:
      return serverRefused(message)
  }
}

export function serverRefused(why: string): KeymootError {
  return new KeymootError("server-refused", `The server refused: ${why}. Try again later.`)
}
