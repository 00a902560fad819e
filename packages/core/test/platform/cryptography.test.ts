import { loadKem } from "@keymoot/gke"
import { expect, test, vi } from "vitest"
import { loadCryptography } from "../../src/platform/cryptography.ts"

vi.mock("@keymoot/gke", async (importOriginal) => {
  const gke = await importOriginal<typeof import("@keymoot/gke")>()
  return { ...gke, loadKem: vi.fn(gke.loadKem) }
})

test("loads the cryptography at the next call when a load has failed", async () => {
  vi.mocked(loadKem).mockRejectedValueOnce(new Error("out of memory"))
  await expect(Promise.all([loadCryptography(), loadCryptography()])).rejects.toThrow("out of memory")
  const loaded = loadCryptography()
  expect(await loaded).toHaveProperty("kem")
  expect(loadCryptography()).toBe(loaded)
})
