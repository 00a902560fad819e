import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["keymoot-source"] },
  ssr: { resolve: { conditions: ["keymoot-source", "node"], externalConditions: ["keymoot-source"] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "apps/*/test/**/*.test.{ts,tsx}",
      "tools/**/*.test.ts",
      "bench/test/**/*.test.ts",
    ],
    testTimeout: 60_000,
    // What is waited for comes at once, unless the machine is busy: the default of one second is a measure of that.
    expect: { poll: { timeout: 20_000 } },
    // The default leaves a processor free; many tests here wait for servers and links, and leave enough.
    maxWorkers: "100%",
  },
})
