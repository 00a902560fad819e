import type { FileExchange } from "../files/index.ts"
import type { EngineCall, EngineCalls } from "./protocol.ts"

type FileCall = Extract<EngineCall, `file.${string}`>

/** What an application can do with the files of a conference. `signal`: it has lost interest. */
export async function exchangeFiles(
  files: FileExchange,
  call: FileCall,
  params: never,
  signal: AbortSignal,
): Promise<EngineCalls[FileCall]["result"]> {
  switch (call) {
    case "file.offer":
      return files.offer(params, signal)
    case "file.fetch":
      await files.fetch((params as EngineCalls[typeof call]["params"]).ticket, signal)
      return null
    case "file.kept":
      return files.kept((params as EngineCalls[typeof call]["params"]).ticket)
    case "file.read": {
      const { ticket, block } = params as EngineCalls[typeof call]["params"]
      return files.read(ticket, block)
    }
    case "file.remove":
      await files.remove((params as EngineCalls[typeof call]["params"]).ticket)
      return null
  }
}
