/** PEM with some text before it is shorter. Larger files are not certificates, and are not read completely. */
const FILE_BYTES_MAX = 16 * 1024

/** A certificate in the form in which the file has it: PEM as text, DER as bytes. */
export async function readCertificateFile(file: File): Promise<Uint8Array | string> {
  const bytes = new Uint8Array(await file.slice(0, FILE_BYTES_MAX).arrayBuffer())
  const text = new TextDecoder("latin1").decode(bytes)
  return text.includes("-----BEGIN ") ? text : bytes
}
