import { randomBytes } from "node:crypto"
import { startServer } from "@keymoot/signaling"
import { expect, test as base, vi } from "vitest"
import { createBootstrap } from "../src/host/bootstrap.ts"
import type { BootstrapCommand, BootstrapEvent, BootstrapReply } from "../src/port/port.ts"
import type { Finished } from "./hostile-bootstrap.ts"

export const PATIENT = { timeout: 30_000, interval: 20 }
export const bytes = (text: string) => new TextEncoder().encode(text)
export const hex = () => randomBytes(16).toString("hex")

/** A member's end: what it was told, and a way to wait for the reply to a request. */
function createMember() {
  const events: BootstrapEvent[] = []
  const bootstrap = createBootstrap((event) => events.push(event))
  let request = 0
  const replies = (number: number) =>
    events.flatMap((event) => (event.type === "bootstrap-reply" && event.request === number ? [event.reply] : []))
  const ask = async (command: DistributiveOmit<Extract<BootstrapCommand, { request: number }>, "request">) => {
    const number = (request += 1)
    bootstrap.post({ ...command, request: number })
    await vi.waitFor(() => expect(replies(number).length).toBe(1), PATIENT)
    return replies(number)[0] as BootstrapReply
  }
  const states = () => events.flatMap((event) => (event.type === "bootstrap-state" ? [event.state] : []))
  const connection = () => events.findLast((event) => event.type === "bootstrap-state")?.connection
  const until = (...expected: string[]) => vi.waitFor(() => expect(states()).toEqual(expected), PATIENT)
  return { ...bootstrap, events, ask, states, connection, until }
}
export type Member = ReturnType<typeof createMember>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

async function startClosable(port = 0) {
  const server = await startServer({ port })
  let open = true
  const close = async () => {
    if (open) await server.close()
    open = false
  }
  return { server: server.url, close }
}

/** The members and servers of a test, until it ends. With concurrent tests, only the test itself knows when that is. */
export const test = base.extend<{ member: () => Member; serve: typeof startClosable; finished: Finished }>({
  finished: ({ onTestFinished }, use) => use(onTestFinished),
  member: ({ finished }, use) =>
    use(() => {
      const member = createMember()
      finished(() => member.close())
      return member
    }),
  serve: ({ finished }, use) =>
    use(async (port) => {
      const server = await startClosable(port)
      finished(server.close)
      return server
    }),
})
