/** The vectors of docs/protocol/vectors. They come from the product's own code, with fixed keys and randomness. */
import { loadKem } from "@keymoot/gke"
import { agreementFiles } from "./agreements.ts"
import { archiveFile } from "./archive.ts"
import { certificateFile } from "./certificates/certificates.ts"
import { contentFile, descriptorFile, fileFile, identityFile, statementFile } from "./contents.ts"
import { doorFile } from "./door.ts"
import { withFixedRandomness } from "./fixed-randomness.ts"
import { keyFile } from "./keys.ts"
import { associationFile, roomFile } from "./links.ts"
import { mediaFile } from "./media.ts"
import { personNamed } from "./people.ts"
import { diffieHellmanFile, signatureFile } from "./signatures.ts"
import { textOf, type VectorFile } from "./vector-file.ts"

export const VECTORS_FOLDER = new URL("../../../../docs/protocol/vectors/", import.meta.url)

/** Texts of all files by their names. */
export async function publishedVectors(): Promise<ReadonlyMap<string, string>> {
  const files = await withFixedRandomness("keymoot vectors", async (): Promise<VectorFile[]> => {
    const ada = await personNamed("Ada")
    const bob = await personNamed("Bob")
    const eve = await personNamed("Eve")
    return [
      identityFile([ada, bob, eve]),
      keyFile([ada, bob, eve]),
      ...(await agreementFiles()),
      associationFile([ada, bob], await loadKem()),
      await roomFile([ada, bob]),
      await descriptorFile([ada, bob]),
      await statementFile([ada, bob, eve]),
      await fileFile([ada]),
      await contentFile([ada]),
      certificateFile([ada]),
      await doorFile([ada, bob]),
      await mediaFile([ada, bob, eve]),
      await archiveFile([ada, bob, eve]),
      signatureFile(),
      diffieHellmanFile(),
    ]
  })
  return new Map(files.map((file) => [`${file.name}.json`, textOf(file)]))
}
