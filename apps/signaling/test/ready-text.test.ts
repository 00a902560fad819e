import type { NetworkInterfaceInfo } from "node:os"
import { expect, test } from "vitest"
import { readyText } from "../src/addresses/ready-text.ts"

const url = "http://localhost:8080"
const interfaces = () => ({
  lo: [address("127.0.0.1", true)],
  wifi: [address("192.168.1.5"), address("fe80::1", false, 2), address("2001:db8::5")],
  many: Array.from({ length: 9 }, (_, index) => address(`10.0.0.${index}`)),
})

test("names only the local address when nobody else can connect", () => {
  for (const host of ["127.0.0.1", "localhost", "::1"])
    expect(readyText({ url, host, publicOrigins: [], interfaces })).toBe(`Keymoot is ready at ${url}\n`)
})

test("says that other devices need https when they can connect over http", () => {
  const text = readyText({ url, host: "0.0.0.0", publicOrigins: [], interfaces })
  expect(text).toMatch(/^Keymoot is ready at http:\/\/localhost:8080\nThat address works on this machine only\./u)
  expect(text).toContain("reach http://192.168.1.5:8080, http://10.0.0.0:8080, ")
  expect(text).toContain("browsers encrypt over https only")
  expect(text).toContain("PUBLIC_ORIGIN")
  expect(text).not.toContain("fe80")
  expect(text.match(/:8080/gu)).toHaveLength(5)
})

test("names IPv6 addresses when it listens on them", () => {
  expect(readyText({ url, host: "::", publicOrigins: [], interfaces })).toContain("http://[2001:db8::5]:8080")
  const own = readyText({ url: "http://[fd00::2]:8080", host: "fd00::2", publicOrigins: [], interfaces })
  expect(own).toContain("Other devices reach http://[fd00::2]:8080,")
})

test("names the public address when there is one with https", () => {
  const publicOrigins = ["https://meet.example"]
  expect(readyText({ url, host: "0.0.0.0", publicOrigins, interfaces })).toBe(
    "Keymoot is ready at http://localhost:8080\nPeople open https://meet.example\n",
  )
})

test("is ready where a sandbox hides the addresses of the machine", () => {
  const hidden = (): never => {
    throw new Error("uv_interface_addresses returned Unknown system error 97")
  }
  expect(readyText({ url, host: "127.0.0.1", publicOrigins: [], interfaces: hidden })).toContain("ready")
  expect(readyText({ url, host: "0.0.0.0", publicOrigins: [], interfaces: hidden })).toContain("reach no address")
})

function address(text: string, internal = false, scopeid = 0): NetworkInterfaceInfo {
  const common = { address: text, netmask: "", mac: "", internal, cidr: null }
  return text.includes(":") ? { ...common, family: "IPv6", scopeid } : { ...common, family: "IPv4" }
}
