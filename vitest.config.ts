import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { sharingFiles } from "./tools/vitest/shared-workers.ts"

/**
 * The slowest files, slowest first; files that mostly wait stand between files that compute. Without measurements, as after a clone,
 * Vitest runs large files first. These files are small but slow, and the last of them would leave a processor idle.
 */
const LONGEST = [
  "gke/test/events/schedules",
  "transport/test/simulation/more-schedules",
  "transport/test/simulation/simulation",
  "tools/packages/packages",
  "gke/test/secrecy/secrecy",
  "gke/test/hostile/hostile-members",
  "signaling/test/cluster",
  "bench/test/browsers/channel",
  "core/test/conference-run/device/local-copies",
  "gke/test/events/large-groups",
  "bench/test/browsers/peers",
  "core/test/simulation/simulation",
  "core/test/conference-run/admission/removal",
  "gke/test/events/view-changes",
  "core/test/webrtc/two-servers",
  "tools/test/api",
  "core/test/webrtc/eight-members",
  "core/test/webrtc/many-members",
  "core/test/driver/hostile-member",
  "transport/test/bootstrap-failures",
  "transport/test/link/conformance",
  "gke/test/events/rounds",
  "core/test/conference-run/resources",
  "signaling/test/store/durability",
].map((name) => `${name}.test.ts`)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(name))
      return found === -1 ? LONGEST.length : found
    }
    // A worker is shared until the next file has one of its own.
    const group = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => group(one) - group(other) || place(one) - place(other))
  }
}

// Each worker is a process that compiles Vitest and the libraries anew: only the first one has to. Browser tests share it.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "keymoot-compile-cache")

const SHARING = sharingFiles(import.meta.dirname, ["packages/*/test/**/*.test.ts", "apps/web/test/**/*.test.ts"])

export default defineConfig({
  resolve: { conditions: ["keymoot-source"] },
  ssr: { resolve: { conditions: ["keymoot-source", "node"], externalConditions: ["keymoot-source"] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "own worker",
          include: [
            "packages/*/test/**/*.test.{ts,tsx}",
            "apps/*/test/**/*.test.{ts,tsx}",
            "tools/**/*.test.ts",
            "bench/test/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", ...SHARING],
        },
      },
      {
        extends: true,
        test: { name: "shared worker", include: SHARING, isolate: false, setupFiles: ["tools/vitest/left-behind.ts"] },
      },
    ],
    setupFiles: ["tools/vitest/property-seed.ts"],
    // Nothing here is about speed. A hook may have to start a database, for which the default of ten seconds is little on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // An awaited state comes at once unless the machine is busy. The default of one second would test the machine.
    expect: { poll: { timeout: 60_000 } },
    // One more than there are processors: many tests here wait, for servers, links and somebody's silence, and use a processor half the time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
})
