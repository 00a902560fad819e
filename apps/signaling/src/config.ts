import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as v from "valibot"
import { StartError } from "./start-error.ts"

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
  /** Structured logs on standard error, without payloads and addresses. Default: silent. */
  readonly logLevel?: (typeof LOG_LEVELS)[number]
}

const WEB_DIR = fileURLToPath(new URL("../../web/dist", import.meta.url))

interface Setting {
  readonly name: string
  readonly fallback: string
  readonly meaning: string
  readonly schema: v.GenericSchema<string, unknown>
  /** Completes "PORT must be …". */
  readonly expected: string
}

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/u), v.transform(Number), v.maxValue(65_535))
const filled = v.pipe(v.string(), v.minLength(1))

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
  logLevel: {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: LOG_LEVELS.join(", "),
    schema: v.picklist(LOG_LEVELS),
    expected: `one of ${LOG_LEVELS.join(", ")}`,
  },
} as const satisfies Record<string, Setting>

/**
 * Reads the configuration of a server process.
 * @throws StartError naming the variable whose value is wrong
 */
export function configFromEnvironment(environment: Readonly<Record<string, string | undefined>>): ServerConfig {
  const read = <S extends Setting>(setting: S): v.InferOutput<S["schema"]> => {
    const value = environment[setting.name] ?? setting.fallback
    const result = v.safeParse(setting.schema, value)
    if (!result.success) throw new StartError(`${setting.name} must be ${setting.expected}, not "${value}".`)
    return result.output
  }
  const webDir = read(SETTINGS.webDir)
  return {
    port: read(SETTINGS.port),
    host: read(SETTINGS.host),
    dataDir: resolve(read(SETTINGS.dataDir)),
    ...(webDir === "none" ? {} : { webDir: resolve(webDir) }),
    logLevel: read(SETTINGS.logLevel),
  }
}

/** What `--help` prints. */
export function helpText(): string {
  const lines = Object.values(SETTINGS).map((setting) => {
    const fallback = setting === SETTINGS.webDir ? "apps/web/dist" : setting.fallback
    return `  ${setting.name.padEnd(10)} ${setting.meaning} (default ${fallback})`
  })
  return ["Keymoot's server: directory, bootstrap and the web app. Environment variables:", ...lines, ""].join("\n")
}
