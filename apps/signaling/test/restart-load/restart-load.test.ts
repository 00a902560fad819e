import { expect, test } from "vitest"
import { restartUnder } from "./restart-load.ts"

test("all clients are in their rooms again after the server restarts", async () => {
  expect(await restartUnder(20)).toMatchObject({ clients: 20 })
})
