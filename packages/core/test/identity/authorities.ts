import "reflect-metadata/lite" // required by the library below
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  Pkcs10CertificateRequest,
  X509CertificateGenerator,
} from "@peculiar/x509"
import { newKeyPair } from "./people.ts"

const DAY_MS = 24 * 60 * 60 * 1000

export const ED25519 = { name: "Ed25519" }
export const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }

export const mayIssue = (): Extension[] => [
  new BasicConstraintsExtension(true, 0, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
]
export const maySign = (): Extension[] => [
  new BasicConstraintsExtension(false, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
]
export const named = (utf8String: string): Name => new Name([{ CN: [{ utf8String }] }])

type Made = {
  readonly issuer?: Name
  readonly notBefore?: Date
  readonly notAfter?: Date
  readonly extensions?: Extension[]
  readonly signingKey?: CryptoKey
  readonly subject?: Name
  readonly serialNumber?: string
}

/** An organisation's authority, as OpenSSL would make one: a self-signed root, and what it issues. */
export class TestAuthority {
  readonly certificate: Uint8Array
  readonly subject: Name
  readonly #keys: CryptoKeyPair
  readonly #algorithm: typeof ED25519

  private constructor(certificate: Uint8Array, subject: Name, keys: CryptoKeyPair, algorithm: typeof ED25519) {
    this.certificate = certificate
    this.subject = subject
    this.#keys = keys
    this.#algorithm = algorithm
  }

  static async create(name: string, made: Made = {}, algorithm: typeof ED25519 = ED25519): Promise<TestAuthority> {
    const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair
    const subject = named(name)
    const certificate = await issue(keys.publicKey, keys.privateKey, algorithm, {
      subject,
      issuer: subject,
      extensions: mayIssue(),
      ...made,
    })
    return new TestAuthority(certificate, subject, keys, algorithm)
  }

  /** Issues to the holder of the key, under any name. */
  async issue(name: string, key?: CryptoKey, made: Made = {}): Promise<Uint8Array> {
    const publicKey = key ?? (await newKeyPair()).publicKey
    const fields = { subject: named(name), issuer: this.subject, extensions: maySign(), ...made }
    return issue(publicKey, made.signingKey ?? this.#keys.privateKey, this.#algorithm, fields)
  }

  /** It may sign whatever it likes. */
  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign(this.#algorithm, this.#keys.privateKey, bytes.slice()))
  }

  /** Its answer to a request in PEM, whose signature it checks. */
  async answer(request: string, name?: string, made: Made = {}): Promise<Uint8Array> {
    const read = new Pkcs10CertificateRequest(request)
    if (!(await read.verify(crypto))) throw new Error("this request is not signed by its key")
    const key = await read.publicKey.export(crypto)
    return this.issue(name ?? read.subjectName.getField("CN")[0]!, key, made)
  }
}

async function issue(
  publicKey: CryptoKey,
  signingKey: CryptoKey,
  signingAlgorithm: typeof ED25519,
  fields: Made,
): Promise<Uint8Array> {
  const made = await X509CertificateGenerator.create(
    {
      serialNumber: "4102030405060708090a0b0c0d0e0f10",
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + DAY_MS),
      ...fields,
      publicKey,
      signingKey,
      signingAlgorithm,
    },
    crypto,
  )
  return new Uint8Array(made.rawData)
}
