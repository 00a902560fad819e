import { type AppFile, type BuiltApp, NotWholeError, PAGE_PATH, readBuiltApp, stampOf } from "./built-app.ts"
import { securityHeaders } from "./security-headers.ts"
import { StartError } from "../start-error.ts"

const ASSETS = "/assets/"

/**
 * One complete build of the app, served from memory. The page names its scripts by their hashes, and the policy names
 * the page's import map. So files of two builds never fit together. When another build is complete, it replaces the
 * former one between two answers. Until then no file is read from the disk.
 */
export class ServedApp {
  readonly #webDir: string
  readonly #embedOrigins: readonly string[]
  #app: BuiltApp
  #headers: Readonly<Record<string, string>>
  /** The former build: a tab that was opened before still loads parts of it. */
  #former: BuiltApp = new Map()
  #stamp: string | undefined
  /** Concurrent requests share one check of the disk. */
  #looking: Promise<void> | undefined

  private constructor(webDir: string, embedOrigins: readonly string[], app: BuiltApp, stamp: string | undefined) {
    this.#webDir = webDir
    this.#embedOrigins = embedOrigins
    this.#app = app
    this.#headers = headersOf(app, embedOrigins)
    this.#stamp = stamp
  }

  /**
   * @param embedOrigins whose pages may show the app in a frame
   * @throws StartError when `webDir` holds no app, or none that is whole
   */
  static async open(webDir: string, embedOrigins: readonly string[] = []): Promise<ServedApp> {
    const stamp = await stampOf(webDir)
    try {
      return new ServedApp(webDir, embedOrigins, await readBuiltApp(webDir), stamp)
    } catch (error) {
      if (!(error instanceof NotWholeError)) throw error
      throw new StartError(`The web app is not built: ${error.message}. Run "npm run build:web".`)
    }
  }

  /** The headers of every answer. They match the page that is served at this moment. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers
  }

  /** @param path the path of the request; it is looked up and never reaches the file system */
  async find(path: string): Promise<AppFile | undefined> {
    const hashed = isImmutable(path)
    if (!hashed || !this.#app.has(path)) await (this.#looking ??= this.#look())
    return this.#app.get(path) ?? (hashed ? this.#former.get(path) : undefined)
  }

  async #look(): Promise<void> {
    try {
      const stamp = await stampOf(this.#webDir)
      if (stamp === undefined || stamp === this.#stamp) return
      const app = await readBuiltApp(this.#webDir, this.#app)
      this.#former = this.#app
      this.#app = app
      this.#headers = headersOf(app, this.#embedOrigins)
      this.#stamp = stamp
    } catch (error) {
      // The build is being written. The former one stays in service, and the next request checks again.
      if (!(error instanceof NotWholeError)) throw error
    } finally {
      this.#looking = undefined
    }
  }
}

/** Whether the content of a path never changes, since its name contains its hash. */
export function isImmutable(path: string): boolean {
  return path.startsWith(ASSETS)
}

function headersOf(app: BuiltApp, embedOrigins: readonly string[]): Readonly<Record<string, string>> {
  return securityHeaders(app.get(PAGE_PATH)?.body.toString(), embedOrigins)
}
