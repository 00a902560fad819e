import { test as base } from "@playwright/test"
import { BrowserPool, People } from "./people.ts"
import { Projects } from "./packages/projects.ts"
import type { ServerProcess } from "./server-process.ts"
import { SpareServer } from "./spare-server.ts"

export { expect } from "@playwright/test"

type Fixtures = { readonly server: ServerProcess; readonly people: People }
type Kept = { readonly pool: BrowserPool; readonly spare: SpareServer; readonly projects: Projects }

/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern which fixtures another one needs. */

/**
 * Each test has its own server and people, and fails if any page reports an error. Fixtures that outlast a test are
 * defined here, even if one file only needs them. After a file with such fixtures of its own, Playwright ends its
 * process and all browsers.
 */
export const test = base.extend<Fixtures, Kept>({
  pool: [
    async ({}, use) => {
      const pool = new BrowserPool()
      await use(pool)
      await pool.close()
    },
    { scope: "worker" },
  ],
  spare: [
    async ({}, use) => {
      const spare = new SpareServer()
      await use(spare)
      await spare.dispose()
    },
    { scope: "worker" },
  ],
  projects: [
    async ({}, use) => {
      const projects = new Projects()
      await use(projects)
      await projects.dispose()
    },
    { scope: "worker" },
  ],
  server: [
    async ({ spare }, use) => {
      const server = await spare.take()
      await use(server)
      await server.dispose()
    },
    // Automatic ones begin first and end last: people go home before the server stops.
    { auto: true },
  ],
  people: async ({ pool }, use, testInfo) => {
    const people = new People(pool)
    await use(people)
    if (testInfo.status !== testInfo.expectedStatus) await people.saveEvidence(testInfo)
    const { complaints } = people
    await people.goHome()
    base.expect(complaints, "uncaught errors and policy violations").toEqual([])
  },
})
