import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** A certificate for this machine that nobody but its holder has signed. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Both in one file, as HAProxy has it. */
  readonly bothFile: string;
  readonly pem: string;
}

export function createCertificate(folder: string): Certificate {
  const certificateFile = `${folder}/tls.crt`;
  const keyFile = `${folder}/tls.key`;
  const bothFile = `${folder}/tls.pem`;
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
      ...['-days', '2', '-out', certificateFile, '-keyout', keyFile],
    ],
    { stdio: 'ignore' },
  );
  const pem = readFileSync(certificateFile, 'utf8');
  writeFileSync(bothFile, pem + readFileSync(keyFile, 'utf8'), { mode: 0o600 });
  return { certificateFile, keyFile, bothFile, pem };
}
