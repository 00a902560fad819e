/** Packages for the tests must leave no service running on the machine. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { withoutServices } from "./apt.ts"

function freshPolicy(): string {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-apt-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, "policy-rc.d")
}

test("forbids packages to start services while they are installed, and not after", () => {
  const policy = freshPolicy()
  let answer: number | null = null
  withoutServices(() => (answer = spawnSync(policy, ["postgresql", "start"]).status), policy)
  expect(answer).toBe(101)
  expect(existsSync(policy)).toBe(false)
})

test("removes its policy when the installation fails", () => {
  const policy = freshPolicy()
  const fail = () => {
    throw new Error("no space")
  }
  expect(() => withoutServices(fail, policy)).toThrow("no space")
  expect(existsSync(policy)).toBe(false)
})

test("keeps the policy that a machine has", () => {
  const policy = freshPolicy()
  writeFileSync(policy, "#!/bin/sh\nexit 0\n")
  withoutServices(() => undefined, policy)
  expect(readFileSync(policy, "utf8")).toBe("#!/bin/sh\nexit 0\n")
})

test.each(["tools/ensure-services.ts", "e2e/ensure-browsers.ts"])("%s installs in no other way", (path) => {
  const source = readFileSync(join(import.meta.dirname, "../..", path), "utf8")
  expect(source).toContain("installWithApt(")
  expect(source).not.toContain('spawnSync("apt-get"')
})
