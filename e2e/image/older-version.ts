/** The version from which the test of the image upgrades. */
import { run } from "./programs.ts"

/** Its last change is the last one of what a server keeps. */
const STORED_FORMAT = "apps/signaling/src/store/schema.ts"

/**
 * The last release before this commit. Before the first release, the commit before the last change of the stored format.
 *
 * @throws Error when the clone lacks this part of the history
 */
export async function olderVersion(root: string): Promise<string> {
  const git = (...args: readonly string[]) => run("git", ["-C", root, ...args])
  const release = await git("describe", "--tags", "--abbrev=0", "HEAD^").catch(() => null)
  return release ?? git("rev-parse", `${await git("log", "-1", "--format=%H", "--", STORED_FORMAT)}^`)
}
