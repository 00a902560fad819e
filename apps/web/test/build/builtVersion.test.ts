/** A build says about itself only what a tarball gives, too. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import config from "../../vite.config.ts"

it("names the release and no commit, so that a tarball gives the same bytes", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8")) as {
    readonly version: string
  }
  expect(config.define).toEqual({ "import.meta.env.VITE_VERSION": JSON.stringify(version) })
})
