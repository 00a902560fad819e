import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, BrowserServer, BrowserType, LaunchOptions } from "@playwright/test"

export type BrowserKind = "chromium" | "firefox"
export type FoundBrowser = { readonly path: string; readonly version: string; readonly playwrights: boolean }

export type FirefoxPreferences = NonNullable<LaunchOptions["firefoxUserPrefs"]>

/** The problem with this machine's browsers and its remedy. */
export class BrowserError extends Error {}

/** The first releases with Ed25519 in WebCrypto. */
const VERSION_MIN: Readonly<Record<BrowserKind, number>> = { chromium: 137, firefox: 129 }
const OVERRIDE: Readonly<Record<BrowserKind, string>> = { chromium: "KEYMOOT_CHROMIUM", firefox: "KEYMOOT_FIREFOX" }
const INSTALLED: Readonly<Record<BrowserKind, readonly string[]>> = {
  chromium: [
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
    "/usr/bin/chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ],
  firefox: [
    "/usr/bin/firefox-esr",
    "/usr/bin/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ],
}
const require = createRequire(import.meta.url)

/**
 * Loaded only when a browser is needed, because Playwright slows its whole process. Code with many promises takes a
 * third longer, and in a process with this module the benchmark also measures experiments without a browser.
 */
function typeOf(kind: BrowserKind): BrowserType {
  return (require("@playwright/test") as typeof import("@playwright/test"))[kind]
}

/**
 * The browser to test with: the one that the environment names, else an installed one, else Playwright's own.
 * @throws BrowserError when the environment names one that cannot be used
 */
export function findBrowser(kind: BrowserKind): FoundBrowser | null {
  const named = process.env[OVERRIDE[kind]]
  if (named !== undefined) {
    const found = examine(kind, named)
    if (found !== null) return found
    throw new BrowserError(
      `${OVERRIDE[kind]} must be the path of a ${kind} ${VERSION_MIN[kind]} or newer, not "${named}".`,
    )
  }
  for (const path of [...INSTALLED[kind], typeOf(kind).executablePath()]) {
    const found = examine(kind, path)
    if (found !== null) return found
  }
  return null
}

/** `started`: the path of what starts the program instead of itself, as on a host of a lab. */
export function launch(
  kind: BrowserKind,
  extraArguments: readonly string[] = [],
  started: (program: string) => string = (program) => program,
): Promise<Browser> {
  const { executablePath, ...options } = launchOptions(kind, extraArguments)
  return typeOf(kind).launch({ ...options, executablePath: started(executablePath) })
}

type Hardware = {
  /** Name of the display that shows its windows. Without one, it has no windows. */
  readonly display?: string | undefined
  /** PulseAudio's server that plays its sound. */
  readonly sound?: string | undefined
  /** Further variables of its environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

/** A Firefox with preferences of its own, on hardware that the test has started. */
export function launchFirefox(
  preferences: FirefoxPreferences,
  { display, sound, variables }: Hardware = {},
): Promise<Browser> {
  const options = launchOptions("firefox", [])
  return typeOf("firefox").launch({
    ...options,
    firefoxUserPrefs: { ...FAKE_DEVICES, ...preferences },
    headless: display === undefined,
    env: {
      ...process.env,
      ...(display === undefined ? {} : { DISPLAY: display }),
      ...(sound === undefined ? {} : { PULSE_SERVER: sound }),
      ...variables,
    },
  })
}

/** A Chromium whose process can be killed. */
export function launchMortalChromium(): Promise<BrowserServer> {
  return typeOf("chromium").launchServer(launchOptions("chromium", []))
}

function launchOptions(
  kind: BrowserKind,
  extraArguments: readonly string[],
): LaunchOptions & { readonly executablePath: string } {
  const found = findBrowser(kind)
  if (found === null) throw new BrowserError(`No ${kind} was found: run "node e2e/ensure-browsers.ts".`)
  if (kind === "chromium") return { executablePath: found.path, args: [...chromiumArguments(), ...extraArguments] }
  // A Firefox as people install it is driven by WebDriver BiDi; Playwright's own has been patched for another protocol.
  return {
    executablePath: found.path,
    firefoxUserPrefs: FAKE_DEVICES,
    ...(found.playwrights ? {} : { channel: "moz-firefox" }),
  }
}

/** Firefox's own camera and microphone for tests. It asks nobody for them. */
const FAKE_DEVICES = { "media.navigator.streams.fake": true, "media.navigator.permission.disabled": true }

/** An installed Chromium has an address bar, headless or not, that loads two pages of its own for every window. */
const OWN_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]
/** Overrides Playwright's switch: Chromium reads only the last of two such switches. */
const OFF_IN_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "BlockOriginHeaderModificationOnRedirect",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "Translate",
  "AutoDeElevate",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
]

/**
 * Arguments for tests, which save processor time: software graphics have no process of their own, and no spare renderer
 * waits for the next page. The benchmarks measure Chromium as people start it.
 */
export const FEWER_PROCESSES: readonly string[] = [
  "--in-process-gpu",
  switchingOff([...OFF_IN_PLAYWRIGHT, ...OWN_PAGES, "SpareRendererForSitePerProcess"]),
]

function switchingOff(features: readonly string[]): string {
  return `--disable-features=${features.join(",")}`
}

function chromiumArguments(): string[] {
  const quiet = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    switchingOff([...OFF_IN_PLAYWRIGHT, ...OWN_PAGES]),
  ]
  // Chromium refuses to sandbox itself as root, as in most containers.
  return process.getuid?.() === 0 ? [...quiet, "--no-sandbox"] : quiet
}

/** Null: it is not there, does not run (some distributions install a stub that only prints advice), or is too old. */
function examine(kind: BrowserKind, path: string): FoundBrowser | null {
  if (!existsSync(path)) return null
  const playwrights = path === typeOf(kind).executablePath()
  // On Windows, asking for the version opens a window.
  if (process.platform === "win32") return { path, version: "of unknown version", playwrights }
  try {
    const answer = execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    const version = /\d+(?:\.\d+)+/u.exec(answer)?.[0]
    return version !== undefined && Number.parseInt(version, 10) >= VERSION_MIN[kind]
      ? { path, version, playwrights }
      : null
  } catch {
    return null
  }
}
