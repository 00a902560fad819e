import type { DirectoryHandle, DirectoryOptions } from "../../api/index.ts"
import { assertArguments, text } from "../options.ts"
import { notLoaded } from "../worker-thread.ts"

/**
 * People and conferences that a server lists.
 *
 * @example
 * const directory = await Directory.open({ server: "https://meet.example", identity })
 * const { entries } = await directory.find("Grace")
 */
export const Directory = {
  /** Its code is loaded when it is first used. @throws KeymootError `invalid-argument`, `server-unreachable` */
  async open(options: DirectoryOptions): Promise<DirectoryHandle> {
    assertArguments({ server: text }, options)
    const { DirectoryClient } = await import("./directory-client.ts").catch(() => {
      throw notLoaded()
    })
    return new DirectoryClient(options)
  },
} as const
