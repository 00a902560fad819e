import type { MemberId } from "@keymoot/transport"
import { describe, expect, test } from "vitest"
import { FILE_BYTES_MAX } from "../../src/files/layout.ts"
import {
  FILE_NAME_BYTES_MAX,
  formatTicket,
  offeredFileName,
  parseTicket,
  safeFileName,
  safeType,
} from "../../src/files/ticket.ts"

const source = { conferenceId: "c0".repeat(16), owner: "a1".repeat(16) as MemberId }
const ticket = {
  key: new Uint8Array(32).fill(7),
  root: new Uint8Array(32).fill(9),
  sizeBytes: 12345,
  name: "plan of the roof.pdf",
  type: "application/pdf",
}

describe("tickets", () => {
  test("come back as they were", () => {
    expect(parseTicket(formatTicket(ticket), source)).toMatchObject({ ...ticket, owner: source.owner })
  })

  test("name their file without their conference, and no other text does", () => {
    const text = formatTicket(ticket)
    expect(offeredFileName(text)).toBe(ticket.name)
    for (const other of ["", "hello", text.slice(0, -4), `${text}AAAA`]) expect(offeredFileName(other)).toBeNull()
  })

  test("are refused when they are cut, prolonged or made up", () => {
    const text = formatTicket(ticket)
    for (const bad of [
      "",
      "hello",
      text.slice(0, -4),
      `${text}AAAA`,
      text.replace("keymoot-file:", "file:"),
      `${text}!`,
    ]) {
      expect(() => parseTicket(bad, source)).toThrowError(expect.objectContaining({ code: "invalid-argument" }))
    }
  })

  test("in another spelling of the same bytes are refused", () => {
    const text = formatTicket({ ...ticket, key: new Uint8Array(32).fill(0xff) })
    expect(text).toMatch(/__.*Y$/u)
    const spellings = [
      `${text}==`,
      `${text} `,
      text.replace("__", "_ _"),
      text.replaceAll("_", "/"),
      text.replace(/Y$/u, "Z"),
    ]
    for (const spelling of spellings) {
      expect(() => parseTicket(spelling, source)).toThrowError(expect.objectContaining({ code: "invalid-argument" }))
    }
  })

  test("without the id of a member as their owner are refused", () => {
    for (const owner of ["", "ada", "A1".repeat(16), "a1".repeat(17)] as MemberId[]) {
      const open = () => parseTicket(formatTicket(ticket), { ...source, owner })
      expect(open).toThrowError(expect.objectContaining({ code: "invalid-argument" }))
    }
  })

  test("are refused when another member's name or size is impossible", () => {
    for (const wrong of [{ name: "../../x" }, { name: "a\u202egpj.exe" }, { type: "text/html; x" }, { sizeBytes: 0 }]) {
      expect(() => formatTicket({ ...ticket, ...wrong })).toThrow()
    }
    expect(() => formatTicket({ ...ticket, sizeBytes: FILE_BYTES_MAX + 1 })).toThrow()
  })
})

test.each([
  ["C:\\Users\\eve\\..\\photo.jpg", "photo.jpg"],
  ["/etc/passwd", "passwd"],
  ["photo\u202Egpj.exe", "photogpj.exe"],
  ["a\u0000b\u0007.txt", "ab.txt"],
  ["...hidden", "hidden"],
  ['con<>:"|?*.txt', "con.txt"],
  ["ends with dots...", "ends with dots"],
  ["", "file"],
  ["../..", "file"],
  ["... and so on.pdf", "and so on.pdf"],
  [". . x", "x"],
  ["ends in a no-break space\u00a0.", "ends in a no-break space"],
  ["e\u200d\u0301.txt", "\u00e9.txt"],
  ["Grüße – façade 屋根.png", "Grüße – façade 屋根.png"],
])("the name %j becomes %j", (given, safe) => {
  expect(safeFileName(given)).toBe(safe)
  expect(safeFileName(safe)).toBe(safe)
})

test("a long name is shortened and keeps its ending", () => {
  const name = safeFileName(`${"屋".repeat(300)}.pdf`)
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(FILE_NAME_BYTES_MAX)
  expect(name.endsWith(".pdf")).toBe(true)
  expect(safeFileName(name)).toBe(name)
})

test("drops a media type when it is malformed", () => {
  expect(safeType("Text/HTML; charset=utf-8")).toBe("text/html")
  for (const bad of ["html", "a/b/c", "text/<b>", "", "x/".padEnd(300, "y")]) expect(safeType(bad)).toBe("")
})
