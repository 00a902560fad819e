import { ServerProcess } from "./server-process.ts"

/** A server takes a second to start: the next test's does so while this one runs. Each is used once. */
export class SpareServer {
  #next: Promise<ServerProcess> | null = null

  async take(): Promise<ServerProcess> {
    const server = await (this.#next ?? ServerProcess.start())
    this.#next = ServerProcess.start()
    // A failure reaches the caller that takes it; without a caller it must not be an unhandled rejection.
    this.#next.catch(() => {})
    return server
  }

  async dispose(): Promise<void> {
    const server = await this.#next?.catch(() => null)
    await server?.dispose()
  }
}
