import { createSocket } from "node:dgram"
import { once } from "node:events"
import { describe, expect, onTestFinished, test } from "vitest"
import { configFromEnvironment } from "../../src/config.ts"
import { freshDirectory } from "../files.ts"
import { readyUrl, spawnServer } from "../processes.ts"

type Environment = Readonly<Record<string, string>>
const stunOf = (environment: Environment) => configFromEnvironment(environment).stun
const PUBLIC = { PUBLIC_ORIGIN: "https://meet.example" }
const TURN = { TURN_URLS: "turn:turn.example", TURN_SECRET: "only for this test" }

describe("the settings of STUN", () => {
  test.each<[string, Environment, ReturnType<typeof stunOf>]>([
    ["a trial on this machine", {}, undefined],
    ["loopback by another name", { HOST: "localhost", PUBLIC_ORIGIN: "http://keymoot.localhost:8080" }, undefined],
    ["a proxy in front", PUBLIC, { port: 3478, host: "::", names: ["meet.example"] }],
    [
      "a container behind one",
      { ...PUBLIC, HOST: "0.0.0.0" },
      { port: 3478, host: "0.0.0.0", names: ["meet.example"] },
    ],
    [
      "several origins",
      { PUBLIC_ORIGIN: "https://meet.example,https://meet.example:8443,https://[2001:db8::1]" },
      { port: 3478, host: "::", names: ["meet.example", "[2001:db8::1]"] },
    ],
    ["an address of its own", { HOST: "192.0.2.1" }, { port: 3478, host: "192.0.2.1", names: ["192.0.2.1"] }],
    ["one of IPv6", { HOST: "2001:db8::1" }, { port: 3478, host: "2001:db8::1", names: ["[2001:db8::1]"] }],
    ["an address with a zone", { HOST: "fe80::1%eth0" }, undefined],
    ["a name that no stun: URL takes", { PUBLIC_ORIGIN: "https://my_host.example" }, undefined],
    ["every address and no name", { HOST: "0.0.0.0" }, undefined],
    ["coturn beside it", { ...PUBLIC, ...TURN }, undefined],
    ["other STUN servers", { ...PUBLIC, STUN_URLS: "stun:stun.example" }, undefined],
    ["STUN switched off", { ...PUBLIC, STUN_PORT: "off" }, undefined],
    ["STUN switched off by 0", { ...PUBLIC, STUN_PORT: "0" }, undefined],
    [
      "coturn at another port",
      { ...PUBLIC, ...TURN, STUN_PORT: "3479" },
      { port: 3479, host: "::", names: ["meet.example"] },
    ],
    ["a trial with STUN", { STUN_PORT: "3479" }, { port: 3479, host: "127.0.0.1", names: ["127.0.0.1"] }],
    [
      "a content network in front",
      { ...PUBLIC, STUN_URL: "stun:direct.meet.example:3478" },
      { port: 3478, host: "::", names: ["meet.example"], url: "stun:direct.meet.example:3478" },
    ],
    [
      "a name that leads to the second address of a machine",
      { ...PUBLIC, STUN_URL: "stun:192.0.2.1:3478" },
      { port: 3478, host: "::", names: ["meet.example"], url: "stun:192.0.2.1:3478" },
    ],
  ])("fit %s", (_, environment, expected) => {
    expect(stunOf(environment)).toEqual(expected)
  })

  test("name up to four other servers", () => {
    const urls = ["stun:one.example", "stun:[2001:db8::1]:3478"]
    expect(configFromEnvironment({ STUN_URLS: urls.join(", ") }).stunUrls).toEqual(urls)
  })

  test.each([
    ["STUN_PORT", "3478/udp"],
    ["STUN_PORT", "65536"],
    ["STUN_PORT", "none"],
    ["STUN_URL", "meet.example:3478"],
    ["STUN_URL", "stuns:meet.example"],
    ["STUN_URL", "stun:meet.example:65536"],
    ["STUN_URL", "stun:one.example,stun:two.example"],
    ["STUN_URLS", "stun:one.example,turn:two.example"],
    ["STUN_URLS", Array.from({ length: 5 }, (_, i) => `stun:${i}.example`).join(",")],
    ["TURN_URLS", "turn:one.example:99999"],
  ])("say what is wrong with %s=%s", (name, value) => {
    expect(() => configFromEnvironment({ [name]: value })).toThrow(
      new RegExp(`^${name} must be .*"${value.replaceAll(".", "\\.")}"`, "u"),
    )
  })

  test("say which two contradict each other", () => {
    expect(() => stunOf({ STUN_PORT: "off", STUN_URL: "stun:meet.example" })).toThrow(
      /^STUN_URL .* STUN_PORT .*STUN_URLS/u,
    )
    expect(() => stunOf({ STUN_PORT: "3478", HOST: "0.0.0.0" })).toThrow(/^STUN_PORT needs PUBLIC_ORIGIN or STUN_URL/u)
  })
})

test("warns that the port is taken, and serves all the same", async () => {
  const occupant = createSocket("udp4").bind(0, "127.0.0.1")
  onTestFinished(() => void occupant.close())
  await once(occupant, "listening")
  const { port } = occupant.address()
  const settings = { PORT: "0", DATA_DIR: freshDirectory(), WEB_DIR: "none", LOG_LEVEL: "warn" }
  const server = spawnServer({ ...settings, STUN_PORT: String(port) })
  const url = await readyUrl(server)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  server.child.kill("SIGTERM")
  expect(await server.ended).toBe(0)
  const lines = server.errors().trim().split("\n")
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 40,
      port,
      msg: expect.stringMatching(/^UDP port \d+ is in use: .*STUN_PORT.*STUN_URLS/u),
    }),
  ])
})

test("says that the server's address is wrong, and that STUN has none either", async () => {
  const settings = { PORT: "0", DATA_DIR: freshDirectory(), WEB_DIR: "none", LOG_LEVEL: "warn", HOST: "192.0.2.1" }
  const server = spawnServer(settings)
  expect(await server.ended).toBe(1)
  const [warning = "", reason] = server.errors().split("\n")
  expect((JSON.parse(warning) as { msg: string }).msg).toMatch(/^This server answers no STUN: .*EADDRNOTAVAIL/u)
  expect(reason).toMatch(/^The server cannot listen on 192\.0\.2\.1, port 0: .+\.$/u)
})
