import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { TURN_URLS_MAX, turnUrls } from "@keymoot/transport/signaling-protocol"
import * as v from "valibot"
import { StartError } from "./start-error.ts"
import type { TurnConfig } from "./turn.ts"

const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const

/** All optional: what is left out suits a test in the same process. */
export interface ServerConfig {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** Where the database lives. Left out: in memory. */
  readonly dataDir?: string
  /** The built web app. Left out: none is served. */
  readonly webDir?: string
  /** `postgres://…`. Left out: SQLite in `dataDir`. */
  readonly databaseUrl?: string
  /** Under which people reach the server: proofs of possession are made for these. Default: where it listens. */
  readonly publicOrigins?: readonly string[]
  /** Reverse proxies in front that each add to `X-Forwarded-For`. Default: 0, and the header is not read. */
  readonly trustedProxies?: number
  /** How many times the limits of one network address one address has. Default: 1. */
  readonly addressScale?: number
  /** Opens `/metrics` to who presents it. Left out: closed. */
  readonly metricsToken?: string
  /** How long after a signal to stop those who are connected are still served while `/readyz` says no. Default: 0. */
  readonly drainMs?: number
  /** The Redis that joins several processes to one server. Left out: this process is the whole server. */
  readonly redisUrl?: string
  /** Left out: members whose addresses do not reach each other go through the relay here. */
  readonly turn?: TurnConfig
  /** Structured logs on standard error, without payloads and addresses. Default: silent. */
  readonly logLevel?: (typeof LOG_LEVELS)[number]
}

const WEB_DIR = fileURLToPath(new URL("../../web/dist", import.meta.url))

interface Setting {
  readonly name: string
  /** Empty: the setting is optional, and left out when its variable is missing or empty. */
  readonly fallback: string
  readonly meaning: string
  readonly schema: v.GenericSchema<string, unknown>
  /** Its value is never repeated. */
  readonly secret?: true
  /** Completes "PORT must be …". */
  readonly expected: string
}

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/u), v.transform(Number), v.maxValue(65_535))
const filled = v.pipe(v.string(), v.minLength(1))
const wholeNumber = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,5}$/u), v.transform(Number), v.minValue(min), v.maxValue(max))

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol) && new URL(text).origin === text
}
const origins = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((origin) => origin.trim())),
  v.everyItem(isOrigin),
)

const DRAIN_SECONDS_MAX = 600
const ADDRESS_SCALE_MAX = 10_000
const PROXIES_MAX = 8
const METRICS_TOKEN_CHARS_MIN = 16

/** Whoever has some credentials can try secrets against them at leisure. */
const TURN_SECRET_CHARS_MIN = 16

const SETTINGS = {
  port: {
    name: "PORT",
    fallback: "8080",
    meaning: "port to listen on; 0 takes a free one",
    schema: port,
    expected: "a number from 0 to 65535",
  },
  host: {
    name: "HOST",
    fallback: "127.0.0.1",
    meaning: "address to listen on; 0.0.0.0 for every interface",
    schema: filled,
    expected: "an address or a host name",
  },
  dataDir: {
    name: "DATA_DIR",
    fallback: "data",
    meaning: "directory of the database, made if missing",
    schema: filled,
    expected: "a directory",
  },
  webDir: {
    name: "WEB_DIR",
    fallback: WEB_DIR,
    meaning: 'directory of the built web app; "none" serves none',
    schema: filled,
    expected: 'a directory or "none"',
  },
  databaseUrl: {
    name: "DATABASE_URL",
    fallback: "",
    meaning: "postgres://… for PostgreSQL instead of SQLite in DATA_DIR",
    schema: v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\/./u)),
    expected: "a postgres:// URL",
    secret: true,
  },
  redisUrl: {
    name: "REDIS_URL",
    fallback: "",
    meaning: "redis://… of the Redis that joins several processes to one server",
    schema: v.pipe(v.string(), v.regex(/^rediss?:\/\/./u)),
    expected: "a redis:// or rediss:// URL",
    secret: true,
  },
  turnUrls: {
    name: "TURN_URLS",
    fallback: "",
    meaning: "turn: and turns: URLs of TURN servers, separated by commas",
    schema: v.pipe(
      v.string(),
      v.transform((text) => text.split(",").map((url) => url.trim())),
      turnUrls,
    ),
    expected: `up to ${TURN_URLS_MAX} URLs such as turn:turn.example.org:3478?transport=udp, separated by commas`,
  },
  turnSecret: {
    name: "TURN_SECRET",
    fallback: "",
    meaning: "the secret that these share: coturn's static-auth-secret",
    schema: v.pipe(v.string(), v.minLength(TURN_SECRET_CHARS_MIN)),
    expected: `at least ${TURN_SECRET_CHARS_MIN} characters`,
    secret: true,
  },
  publicOrigins: {
    name: "PUBLIC_ORIGIN",
    fallback: "",
    meaning: "the origin under which people reach the server, as https://meet.example; several with commas",
    schema: origins,
    expected: "an origin such as https://meet.example, without a path, or several with commas",
  },
  trustedProxies: {
    name: "TRUST_PROXY",
    fallback: "0",
    meaning: "number of reverse proxies in front that each add to X-Forwarded-For",
    schema: wholeNumber(0, PROXIES_MAX),
    expected: `a number from 0 to ${PROXIES_MAX}`,
  },
  addressScale: {
    name: "ADDRESS_SCALE",
    fallback: "1",
    meaning: "multiplies what one network address may do; raise it when many people share one",
    schema: wholeNumber(1, ADDRESS_SCALE_MAX),
    expected: `a number from 1 to ${ADDRESS_SCALE_MAX}`,
  },
  metricsToken: {
    name: "METRICS_TOKEN",
    fallback: "",
    meaning: "opens /metrics to requests with this bearer token",
    schema: v.pipe(v.string(), v.minLength(METRICS_TOKEN_CHARS_MIN), v.regex(/^[!-~]+$/u)),
    expected: `at least ${METRICS_TOKEN_CHARS_MIN} printable ASCII characters without spaces`,
    secret: true,
  },
  drainSeconds: {
    name: "DRAIN_SECONDS",
    fallback: "0",
    meaning: "after SIGTERM, seconds in which /readyz says no and who is connected is still served",
    schema: wholeNumber(0, DRAIN_SECONDS_MAX),
    expected: `a number from 0 to ${DRAIN_SECONDS_MAX}`,
  },
  logLevel: {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: LOG_LEVELS.join(", "),
    schema: v.picklist(LOG_LEVELS),
    expected: `one of ${LOG_LEVELS.join(", ")}`,
  },
} as const satisfies Record<string, Setting>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration of a server process.
 * @throws StartError naming the variable whose value is wrong
 */
export function configFromEnvironment(environment: Environment): ServerConfig {
  const webDir = read(environment, SETTINGS.webDir)
  return {
    port: read(environment, SETTINGS.port),
    host: read(environment, SETTINGS.host),
    dataDir: resolve(read(environment, SETTINGS.dataDir)),
    ...(webDir === "none" ? {} : { webDir: resolve(webDir) }),
    ...optional(environment, "databaseUrl"),
    ...optional(environment, "redisUrl"),
    ...turnFromEnvironment(environment),
    ...optional(environment, "publicOrigins"),
    trustedProxies: read(environment, SETTINGS.trustedProxies),
    addressScale: read(environment, SETTINGS.addressScale),
    ...optional(environment, "metricsToken"),
    drainMs: read(environment, SETTINGS.drainSeconds) * 1000,
    logLevel: read(environment, SETTINGS.logLevel),
  }
}

/** @throws StartError for one without the other */
function turnFromEnvironment(environment: Environment): Pick<ServerConfig, "turn"> {
  const { turnUrls: urls } = optional(environment, "turnUrls")
  const { turnSecret: secret } = optional(environment, "turnSecret")
  if (urls === undefined && secret === undefined) return {}
  if (urls === undefined) throw new StartError("TURN_SECRET is of no use without TURN_URLS: set both or neither.")
  if (secret === undefined) throw new StartError("TURN_URLS needs TURN_SECRET: set both or neither.")
  return { turn: { urls, secret } }
}

function read<S extends Setting>(environment: Environment, setting: S): v.InferOutput<S["schema"]> {
  const value = environment[setting.name] ?? setting.fallback
  const result = v.safeParse(setting.schema, value)
  if (result.success) return result.output
  const given = setting.secret === undefined ? `, not "${value}"` : ""
  throw new StartError(`${setting.name} must be ${setting.expected}${given}.`)
}

type Settings = typeof SETTINGS
type Optional<N extends keyof Settings> = { readonly [M in N]?: v.InferOutput<Settings[M]["schema"]> }

/** A setting without a fallback, under its own name, or nothing. */
function optional<N extends keyof Settings>(environment: Environment, name: N): Optional<N> {
  const setting = SETTINGS[name]
  if ((environment[setting.name] ?? "") === "") return {}
  return { [name]: read(environment, setting) } as Optional<N>
}

/** What `--help` prints. */
export function helpText(): string {
  const lines = Object.values(SETTINGS).map((setting) => {
    const fallback = setting === SETTINGS.webDir ? "apps/web/dist" : setting.fallback
    return `  ${setting.name.padEnd(13)} ${setting.meaning} (default ${fallback === "" ? "none" : fallback})`
  })
  return ["Keymoot's server: directory, bootstrap and the web app. Environment variables:", ...lines, ""].join("\n")
}
