import { resolve } from "node:path"
import { STUN_URLS_MAX, stunUrl, stunUrls, TURN_URLS_MAX, turnUrls } from "@keymoot/transport/signaling-protocol"
import * as v from "valibot"
import { StartError } from "./start-error.ts"
import { planStun, STUN_PORT_DEFAULT, type StunConfig } from "./stun/stun-config.ts"
import type { TurnConfig } from "./turn.ts"

const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const

/** The configuration of a server. All fields are optional, and the defaults suit a test in the same process. */
export interface ServerConfig {
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** The directory of the database. Default: in memory. */
  readonly dataDir?: string
  /** The directory of the built web app. Default: none is served. */
  readonly webDir?: string
  /** `postgres://…`. Default: SQLite in `dataDir`. */
  readonly databaseUrl?: string
  /**
   * The origins under which clients reach the server. Proofs of possession are bound to them. Default: where it
   * listens.
   */
  readonly publicOrigins?: readonly string[]
  /** The origins whose pages may show the web app in a frame. Default: none. */
  readonly embedOrigins?: readonly string[]
  /**
   * Number of reverse proxies in front that each append to `X-Forwarded-For`. Default: 0, and the header is ignored.
   */
  readonly trustedProxies?: number
  /** Factor for the limits of one network address. Default: 1. */
  readonly addressScale?: number
  /** The bearer token of `/metrics`. Default: `/metrics` is closed. */
  readonly metricsToken?: string
  /** How long after a stop signal connected clients are still served while `/readyz` fails. Default: 0. */
  readonly drainMs?: number
  /** The Redis that joins several processes to one server. Default: this process is the whole server. */
  readonly redisUrl?: string
  /** The TURN servers. Default: members without a direct path use the relay of this server. */
  readonly turn?: TurnConfig
  /** The embedded STUN server. Default: none. */
  readonly stun?: StunConfig
  /** `stun:` URLs of other STUN servers. Default: none. */
  readonly stunUrls?: readonly string[]
  /** Structured logs on standard error, without payloads and addresses. Default: silent. */
  readonly logLevel?: (typeof LOG_LEVELS)[number]
}

interface Setting {
  readonly name: string
  /** Without one the setting is optional, and absent when its variable is missing or empty. */
  readonly fallback?: string
  readonly meaning: string
  readonly schema: v.GenericSchema<string, unknown>
  /** Its value never appears in a message. */
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
const listed = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((entry) => entry.trim())),
)
const origins = v.pipe(listed, v.everyItem(isOrigin))

const EMBED_ORIGINS_MAX = 16
/** Without patterns, and without characters that end a directive of the policy. A frame needs a secure parent. */
const EMBED_ORIGIN = /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/u
const embedOrigins = v.pipe(
  listed,
  v.maxLength(EMBED_ORIGINS_MAX),
  v.everyItem((text) => EMBED_ORIGIN.test(text) && isOrigin(text)),
)

const DRAIN_SECONDS_MAX = 600
const ADDRESS_SCALE_MAX = 10_000
const PROXIES_MAX = 8
const METRICS_TOKEN_CHARS_MIN = 16

/** A client with some credentials can try secrets against them offline. */
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
    meaning: "directory of the database, created if missing",
    schema: filled,
    expected: "a directory",
  },
  webDir: {
    name: "WEB_DIR",
    meaning: 'directory of the web app, instead of the one built with the server; "none" serves none',
    schema: filled,
    expected: 'a directory or "none"',
  },
  databaseUrl: {
    name: "DATABASE_URL",
    meaning: "postgres://… for PostgreSQL instead of SQLite in DATA_DIR",
    schema: v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\/./u)),
    expected: "a postgres:// URL",
    secret: true,
  },
  redisUrl: {
    name: "REDIS_URL",
    meaning: "redis://… of the Redis that joins several processes to one server; needs DATABASE_URL",
    schema: v.pipe(v.string(), v.regex(/^rediss?:\/\/./u)),
    expected: "a redis:// or rediss:// URL",
    secret: true,
  },
  turnUrls: {
    name: "TURN_URLS",
    meaning: "turn: and turns: URLs of TURN servers, separated by commas",
    schema: v.pipe(listed, turnUrls),
    expected: `up to ${TURN_URLS_MAX} URLs such as turn:turn.example.org:3478?transport=udp, separated by commas`,
  },
  turnSecret: {
    name: "TURN_SECRET",
    meaning: "the secret that these share: coturn's static-auth-secret",
    schema: v.pipe(v.string(), v.minLength(TURN_SECRET_CHARS_MIN)),
    expected: `at least ${TURN_SECRET_CHARS_MIN} characters`,
    secret: true,
  },
  stunPort: {
    name: "STUN_PORT",
    meaning:
      `UDP port of the server's own STUN, ${STUN_PORT_DEFAULT} unless set; 0 or "off" for none; ` +
      "off by default with STUN_URLS or TURN_URLS, and if only this machine reaches the server",
    schema: v.union([
      v.pipe(
        v.picklist(["0", "off"]),
        v.transform(() => "off" as const),
      ),
      port,
    ]),
    expected: 'a number from 1 to 65535, or "off"',
  },
  stunUrl: {
    name: "STUN_URL",
    meaning: "its URL as browsers reach it, unless it is the host of PUBLIC_ORIGIN with STUN_PORT",
    schema: stunUrl,
    expected: "a URL such as stun:meet.example:3478",
  },
  stunUrls: {
    name: "STUN_URLS",
    meaning: "stun: URLs of other STUN servers, separated by commas",
    schema: v.pipe(listed, stunUrls),
    expected: `up to ${STUN_URLS_MAX} URLs such as stun:stun.example.org:3478, separated by commas`,
  },
  publicOrigins: {
    name: "PUBLIC_ORIGIN",
    meaning: "the origin under which people reach the server, as https://meet.example; several with commas",
    schema: origins,
    expected: "an origin such as https://meet.example, without a path, or several with commas",
  },
  embedOrigins: {
    name: "EMBED_ORIGINS",
    meaning: "origins whose pages may show the app in a frame, separated by commas; none unless set",
    schema: embedOrigins,
    expected: `up to ${EMBED_ORIGINS_MAX} origins such as https://shop.example, without paths and patterns`,
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

// Each process would have its own database, without the others' conferences.
const REDIS_ALONE =
  "REDIS_URL joins several processes, which need one database: set DATABASE_URL, too, or leave REDIS_URL out."

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration of a server process.
 * @param appDir the web app, unless `WEB_DIR` names another one
 * @throws StartError naming the variable with a wrong value, or that requires another one
 */
export function configFromEnvironment(environment: Environment, appDir?: string): ServerConfig {
  const { webDir = appDir } = optional(environment, "webDir")
  const { databaseUrl } = optional(environment, "databaseUrl")
  const { redisUrl } = optional(environment, "redisUrl")
  if (redisUrl !== undefined && databaseUrl === undefined) throw new StartError(REDIS_ALONE)
  return {
    port: read(environment, SETTINGS.port),
    host: read(environment, SETTINGS.host),
    dataDir: resolve(read(environment, SETTINGS.dataDir)),
    ...(webDir === undefined || webDir === "none" ? {} : { webDir: resolve(webDir) }),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...turnFromEnvironment(environment),
    ...stunFromEnvironment(environment),
    ...optional(environment, "publicOrigins"),
    ...optional(environment, "embedOrigins"),
    trustedProxies: read(environment, SETTINGS.trustedProxies),
    addressScale: read(environment, SETTINGS.addressScale),
    ...optional(environment, "metricsToken"),
    drainMs: read(environment, SETTINGS.drainSeconds) * 1000,
    logLevel: read(environment, SETTINGS.logLevel),
  }
}

/** @throws StartError if only one of the two is set */
function turnFromEnvironment(environment: Environment): Pick<ServerConfig, "turn"> {
  const { turnUrls: urls } = optional(environment, "turnUrls")
  const { turnSecret: secret } = optional(environment, "turnSecret")
  if (urls === undefined && secret === undefined) return {}
  if (urls === undefined) throw new StartError("TURN_SECRET needs TURN_URLS: set both or neither.")
  if (secret === undefined) throw new StartError("TURN_URLS needs TURN_SECRET: set both or neither.")
  return { turn: { urls, secret } }
}

/** @throws StartError if settings contradict each other */
function stunFromEnvironment(environment: Environment): Pick<ServerConfig, "stun" | "stunUrls"> {
  const { stunPort } = optional(environment, "stunPort")
  const { stunUrl: url } = optional(environment, "stunUrl")
  const { turnUrls: turn } = optional(environment, "turnUrls")
  const others = optional(environment, "stunUrls")
  const stun = planStun({
    host: read(environment, SETTINGS.host),
    publicOrigins: optional(environment, "publicOrigins").publicOrigins ?? [],
    hasOthers: others.stunUrls !== undefined || turn !== undefined,
    ...(stunPort !== undefined && { port: stunPort }),
    ...(url !== undefined && { url }),
  })
  return { ...others, ...(stun && { stun }) }
}

function read<S extends Setting>(environment: Environment, setting: S): v.InferOutput<S["schema"]> {
  const value = environment[setting.name] ?? setting.fallback ?? ""
  const result = v.safeParse(setting.schema, value)
  if (result.success) return result.output
  const given = setting.secret === undefined ? `, not "${value}"` : ""
  throw new StartError(`${setting.name} must be ${setting.expected}${given}.`)
}

type Settings = typeof SETTINGS
type Optional<N extends keyof Settings> = { readonly [M in N]?: v.InferOutput<Settings[M]["schema"]> }

/** A setting without a fallback as an object with its name, or an empty object. */
function optional<N extends keyof Settings>(environment: Environment, name: N): Optional<N> {
  const setting = SETTINGS[name]
  if ((environment[setting.name] ?? "") === "") return {}
  return { [name]: read(environment, setting) } as Optional<N>
}

/** The text of `--help`. */
export function helpText(): string {
  const lines = Object.values<Setting>(SETTINGS).map(
    ({ name, meaning, fallback }) =>
      `  ${name.padEnd(13)} ${meaning}${fallback === undefined ? "" : ` (default ${fallback})`}`,
  )
  return ["Keymoot's server: directory, bootstrap and the web app. Environment variables:", ...lines, ""].join("\n")
}
