import { expect, it } from "vitest"
import { formatBytes } from "../../src/files/formatBytes.ts"

it("keeps a number and its unit on one line, in both languages", () => {
  expect(formatBytes(3_000_000, "en")).toBe("3\u00A0MB")
  expect(formatBytes(1_234, "de")).toBe("1,2\u00A0kB")
  expect(formatBytes(512, "en")).toBe("512\u00A0bytes")
  expect(formatBytes(512, "de")).toBe("512\u00A0Byte")
})
