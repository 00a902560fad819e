import { existsSync } from "node:fs"
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/**
 * Files of tests that `npm test` leaves to `npm run unit:all`, since they take long. They need whole systems of servers,
 * browsers and builds, or hundreds of members. Some measure, or try inputs that the nightly fuzzing tries as well.
 * A file that is not listed runs in both.
 */
const LATER = [
  "apps/signaling/test/restart-load/restart-load.test.ts",
  "apps/signaling/test/rolling-restart.test.ts",
  "apps/signaling/test/store/durability.test.ts",
  "bench/test/browsers/channel.test.ts",
  "bench/test/browsers/idle.test.ts",
  "bench/test/browsers/large.test.ts",
  "bench/test/browsers/peers.test.ts",
  "bench/test/discovery.test.ts",
  "bench/test/keys/cost-table.test.ts",
  "bench/test/keys/experiments.test.ts",
  "bench/test/keys/groups.test.ts",
  "bench/test/keys/rekey.test.ts",
  "bench/test/labs/lab.test.ts",
  "bench/test/labs/nat.test.ts",
  "bench/test/main.test.ts",
  "bench/test/memory.test.ts",
  "bench/test/multicast.test.ts",
  "packages/core/test/conference-run/overlay.test.ts",
  "packages/core/test/conference-run/resources.test.ts",
  "packages/core/test/endurance/endurance.test.ts",
  "packages/core/test/fuzzing/corpus.test.ts",
  "packages/core/test/many-members/any-schedule.test.ts",
  "packages/core/test/many-members/overlay.test.ts",
  "packages/core/test/protocol-vectors/verifier.test.ts",
  "packages/core/test/simulation/flapping.test.ts",
  "packages/core/test/simulation/sim-command.test.ts",
  "packages/core/test/webrtc/eight-members.test.ts",
  "packages/core/test/webrtc/many-members.test.ts",
  "packages/core/test/webrtc/two-servers.test.ts",
  "packages/gke/test/events/gdh-ckd-costs.test.ts",
  "packages/gke/test/events/large-groups.test.ts",
  "packages/transport/test/simulation/encounters.test.ts",
  "packages/transport/test/simulation/more-schedules.test.ts",
  "tools/packages/packages.test.ts",
  "tools/release/release.test.ts",
  "tools/test/start.test.ts",
]
const missing = LATER.filter((file) => !existsSync(new URL(file, import.meta.url)))
if (missing.length > 0) throw new Error(`There is no ${missing.join(", ")}: mend the list of this file.`)

const others = {
  onTestRunEnd(): void {
    process.stdout.write(`${LATER.length} other files, and more random runs: npm run unit:all\n`)
  },
}

/** The unit tests of `npm test`. `vitest run` itself has all. */
export default defineConfig({
  ...base,
  test: { ...base.test, exclude: ["**/node_modules/**", ...LATER], reporters: ["default", others] },
})
