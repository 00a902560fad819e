import { spawnSync } from "node:child_process"

/** Those of the commits that the repository does not have; null if its history is not here, as in a tarball or a shallow clone. */
export function missingCommits(commits: readonly string[]): readonly string[] | null {
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" })
  if (git("rev-parse", "--is-shallow-repository").stdout?.trim() !== "false") return null
  return commits.filter((commit) => git("cat-file", "-e", `${commit}^{commit}`).status !== 0)
}
