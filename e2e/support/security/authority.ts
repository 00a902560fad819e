import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** An organisation's authority as docs/embedding.md describes it: a key, a root certificate, and OpenSSL. */
export class OpensslAuthority {
  /** PEM. */
  readonly certificate: string
  readonly #directory: string

  constructor(directory: string, name: string) {
    this.#directory = join(directory, name)
    mkdirSync(this.#directory, { recursive: true })
    this.certificate = join(this.#directory, "root.pem")
    this.#run("genpkey", "-algorithm", "ed25519", "-out", "root.key")
    const extensions = ["basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign"]
    const extended = extensions.flatMap((extension) => ["-addext", extension])
    const subject = ["-subj", `/CN=${name}`, "-days", "30"]
    this.#run(
      "req",
      "-x509",
      "-new",
      "-key",
      "root.key",
      "-config",
      this.#config(),
      ...subject,
      ...extended,
      "-out",
      "root.pem",
    )
  }

  /** Answers a request in PEM. @returns the path of the certificate */
  issue(request: string): string {
    const certificate = `${request}.pem`
    const extensions = join(this.#directory, "person.cnf")
    writeFileSync(extensions, "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n")
    const issuer = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-days", "7"]
    this.#run("x509", "-req", "-in", request, ...issuer, "-extfile", extensions, "-out", certificate)
    return certificate
  }

  /** With nothing of the machine's own configuration. */
  #config(): string {
    const config = join(this.#directory, "root.cnf")
    writeFileSync(config, "[req]\ndistinguished_name=name\n[name]\n")
    return config
  }

  #run(...args: readonly string[]): void {
    execFileSync("openssl", args, { cwd: this.#directory, stdio: ["ignore", "ignore", "pipe"] })
  }
}
