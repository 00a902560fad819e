/** The server of `examples/own-signalling`, as a stranger talks to it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { beforeEach, expect, onTestFinished, test } from "vitest"

const FOLDER = join(import.meta.dirname, "../../examples/own-signalling")

let url: string

beforeEach(async () => {
  const env = { PATH: process.env["PATH"], PORT: "0" }
  const server = spawn(process.execPath, ["server.js"], { cwd: FOLDER, env, stdio: ["ignore", "pipe", "ignore"] })
  onTestFinished(() => void server.kill("SIGKILL"))
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string]
  url = /^Signalling at (\S+)$/u.exec(line)![1]!
})

class Stranger {
  readonly #socket = new WebSocket(url)
  readonly #opened = once(this.#socket, "open")
  readonly #ended = once(this.#socket, "close").then(() => undefined)
  #requests = 0

  async send(text: string): Promise<void> {
    await this.#opened
    this.#socket.send(text)
  }

  /** @returns the code of the refusal, "ok", or that nothing was answered to this request */
  async request(command: Readonly<Record<string, unknown>>): Promise<string> {
    const request = ++this.#requests
    await this.send(JSON.stringify({ ...command, request }))
    const [event] = (await Promise.race([once(this.#socket, "message"), this.#ended])) ?? []
    if (event === undefined) return "the server has ended the connection"
    const answer = JSON.parse(String((event as MessageEvent).data)) as { request: number; reply: { code?: string } }
    return answer.request === request ? (answer.reply.code ?? "ok") : "another request was answered"
  }
}

const nested = "[".repeat(120_000) + "]".repeat(120_000)

test.each([
  ["no JSON", "{"],
  ["null", "null"],
  ["a type that is no string", '{"type":{"toString":1,"valueOf":1}}'],
  ["a number of the request nested deeply", `{"type":"x","request":${nested}}`],
  ["a long name of a room", `{"type":"room-enter","request":0,"room":"${"x".repeat(257)}","address":"a"}`],
  ["a descriptor nested deeply", `{"type":"conference-create","id":"a","descriptor":${nested}}`],
])("answers the next request when a stranger has sent %s", async (_, text) => {
  const stranger = new Stranger()
  await stranger.send(text)
  expect(await stranger.request({ type: "conference-get", id: "a" })).toBe("unknown-conference")
})

test("refuses more addresses when a connection or a room has many", async () => {
  const room = "room"
  const enter = async (stranger: Stranger, count: number) => {
    const replies = []
    for (let number = 0; number < count; number++)
      replies.push(await stranger.request({ type: "room-enter", room, address: crypto.randomUUID() }))
    return replies.filter((reply) => reply === "ok").length
  }
  const stranger = new Stranger()
  expect(await enter(stranger, 40)).toBe(32)
  for (let others = 0; others < 7; others++) expect(await enter(new Stranger(), 32)).toBe(32)
  expect(await enter(new Stranger(), 1)).toBe(0)
})

test("gives a place to others when a connection has left a room", async () => {
  const stranger = new Stranger()
  const room = "room"
  for (let number = 0; number < 40; number++) {
    expect(await stranger.request({ type: "room-enter", room, address: "mine" })).toBe("ok")
    await stranger.send(JSON.stringify({ type: "room-leave", room, address: "mine" }))
  }
  expect(await new Stranger().request({ type: "room-enter", room, address: "mine" })).toBe("ok")
})
