const UNRELEASED = "## Unreleased\n"

/** The text under "Unreleased", without blank lines around it. */
export function unreleased(changelog: string): string {
  const [, rest = ""] = changelog.split(UNRELEASED)
  return (rest.split(/^## /mu)[0] ?? "").trim()
}

/** The changelog with that section under the version, and an empty one for what follows. @param date as 2026-01-31 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  return changelog.replace(UNRELEASED, () => `${UNRELEASED}\n## ${version} (${date})\n`)
}
