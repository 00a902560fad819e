/** docs/signaling.md promises that it says everything; this compares it with the code and plays its session. */
import { readFileSync } from "node:fs"
import * as protocol from "@keymoot/transport/signaling-protocol"
import {
  deliveries,
  errorCodes,
  goodbyeCodes,
  notices,
  possessionBytes,
  requests,
  roomProofBytes,
  SIGNALING_PATH,
} from "@keymoot/transport/signaling-protocol"
import { describe, expect, onTestFinished, test } from "vitest"
import { CONTROL_FRAMES } from "../src/bounds/few-control-frames.ts"
import { LIMITS } from "../src/bounds/limits.ts"
import type { Rate } from "../src/bounds/token-bucket.ts"
import { inAnHour, serve } from "./clients.ts"

const DOCUMENT = readFileSync(new URL("../../../docs/signaling.md", import.meta.url), "utf8")

/** The text under `### \`name\``, up to the next heading; undefined if there is none. */
function section(name: string): string | undefined {
  return DOCUMENT.split(/^#{2,3} /mu)
    .find((text) => text.startsWith(`\`${name}\`\n`))
    ?.slice(name.length)
}

/** The first two cells of each row of every table. */
const rows = [...DOCUMENT.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gmu)].map(([, name = "", value = ""]) => [
  name,
  value.trim(),
])
const valuesOf = (name: string) => rows.filter(([row]) => row === name).map(([, value]) => value)

interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly options?: readonly Schema[]
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly pipe?: readonly Schema[]
}

/** The names of all fields of a schema, `ok` and what an error consists of left out. */
function fieldsOf(schema: Schema): string[] {
  const inner = [schema.wrapped, schema.item, ...(schema.options ?? []), ...(schema.pipe ?? [])]
  const nested = inner.flatMap((one) => (one === undefined || one === schema ? [] : fieldsOf(one)))
  const entries = Object.entries(schema.entries ?? {}).flatMap(([name, field]) => [name, ...fieldsOf(field)])
  return [...entries, ...nested].filter((name) => !["ok", "code", "message"].includes(name))
}

describe("the document names", () => {
  test("every request, delivery and notice with every field, and none that there is not", () => {
    const events: Record<string, Schema[]> = {}
    for (const [name, { payload, reply }] of Object.entries(requests)) {
      events[name] = [payload as unknown as Schema, reply as unknown as Schema]
    }
    for (const [name, schema] of Object.entries({ ...deliveries, ...notices })) {
      events[name] = [...(events[name] ?? []), schema as unknown as Schema]
    }
    for (const [name, schemas] of Object.entries(events)) {
      const text = section(name)
      expect(text, name).toBeDefined()
      for (const field of new Set(schemas.flatMap(fieldsOf))) {
        expect(text, `${name}: ${field}`).toMatch(new RegExp(`\`(?:\\w+\\.)?${field}\``, "u"))
      }
    }
    const described = [...DOCUMENT.matchAll(/^### `([^`]+)`$/gmu)].map(([, name]) => name)
    expect(described.toSorted()).toEqual(Object.keys(events).toSorted())
    expect(fieldsOf(requests["conference:create"].payload as unknown as Schema)).toContain("members")
  })

  test("every code, and none that there is not", () => {
    const tables = DOCUMENT.split("| code | means |").slice(1)
    const codes = tables.flatMap((text) => [...(text.split("\n\n")[0] ?? "").matchAll(/^\| `([^`]+)` \| [^|]{5}/gmu)])
    expect(codes.map(([, code]) => code).toSorted()).toEqual([...errorCodes, ...goodbyeCodes].toSorted())
  })

  test("every bound of the protocol and of the server, with its value", () => {
    const bounds = Object.entries(protocol).filter(([name]) => /^[A-Z_]+$/u.test(name))
    expect(bounds.length).toBeGreaterThan(20)
    const { requestsOf, ...others } = { ...LIMITS, CONTROL_FRAMES }
    for (const [name, value] of [...bounds, ...Object.entries(others), ...Object.entries(requestsOf)]) {
      expect(valuesOf(name), name).toContain(shown(value as string | number | Rate))
    }
  })
})

function shown(value: string | number | Rate): string {
  return typeof value === "object" ? `${value.burst}, ${value.perSecond}/s` : String(value)
}

test("the document's example of a room proof is what is signed", () => {
  const signed = roomProofBytes("00112233445566778899aabbccddeeff", "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "abc")
  const example = /the proof signs:\n\n```\n([0-9a-f\n]+)```/u.exec(DOCUMENT)?.[1]?.replaceAll("\n", "")
  expect(example).toBe(Buffer.from(signed).toString("hex"))
})

test("signs what the document says is signed", () => {
  const signed = possessionBytes(
    "participant:prove",
    "https://meet.example",
    new Uint8Array(32).fill(1),
    new Uint8Array(32).fill(2),
  )
  const example = /this is signed:\n\n```\n([0-9a-f\n]+)```/u.exec(DOCUMENT)?.[1]?.replaceAll("\n", "")
  expect(example).toBe(Buffer.from(signed).toString("hex"))
})

test("the session in the document is what a server says", async () => {
  const { url } = await serve({}, LIMITS)
  const lines = DOCUMENT.split("## A session")[1]?.match(/^[→←] .+$/gmu) ?? []
  expect(lines.length).toBeGreaterThan(20)
  const socket = new WebSocket(`${url.replace("http", "ws")}${SIGNALING_PATH}/?EIO=4&transport=websocket`)
  onTestFinished(() => socket.close())
  socket.binaryType = "arraybuffer"
  const heard: string[] = []
  let wake = () => {}
  socket.addEventListener("message", ({ data }: { data: unknown }) => {
    heard.push(typeof data === "string" ? data : `binary ${Buffer.from(data as ArrayBuffer).toString("hex")}`)
    wake()
  })
  for (const line of lines) {
    const text = line.slice(2)
    if (line.startsWith("→")) {
      const bytes = /^binary ([0-9a-f]+)$/u.exec(text)?.[1]
      socket.send(bytes === undefined ? text.replace("‹in an hour›", String(inAnHour())) : Buffer.from(bytes, "hex"))
      continue
    }
    while (heard.length === 0) await new Promise<void>((done) => (wake = done))
    const pattern = text.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&"))
    expect(heard.shift()).toMatch(new RegExp(`^${pattern.join(".+?")}$`, "u"))
  }
  expect(heard).toEqual([])
})
