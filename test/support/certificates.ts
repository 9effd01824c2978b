/** Certificates of a test's own, made when it runs, so that none expires in the repository. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, canUseApt, findOnPath } from './redisBinary';

/** The PEM files of a certificate and its key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface CertificateWishes {
  /** Names and addresses it holds, as openssl writes them. */
  readonly names?: string;
  /** Days it is valid for; a negative number makes one that has expired. */
  readonly days?: number;
}

export interface Authority {
  readonly caFile: string;
  /** Signs a certificate for a name. */
  issue(name: string, wishes?: CertificateWishes): CertificateFiles;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** @throws Error that says in one line what to install. */
function requireOpenssl(): string {
  const found = findOnPath(['openssl']) ?? (canUseApt() && aptInstall(['openssl']) ? 'openssl' : undefined);
  if (found) return found;
  throw new Error('No openssl found: install it and put it on the PATH.');
}

export function runOpenssl(args: readonly string[]): void {
  const run = spawnSync(requireOpenssl(), args, { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`openssl ${args.join(' ')}: ${run.stderr}`);
}

/** Makes an authority whose files lie in a folder of the test. */
export function makeAuthority(folder: string, name: string): Authority {
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const [caFile, caKey] = [file('ca.pem'), file('ca.key')];
  runOpenssl([
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    caKey,
    '-out',
    caFile,
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
  ]);
  return {
    caFile,
    issue(subject, { names = 'DNS:localhost,IP:127.0.0.1', days = 2 } = {}) {
      const own = (ending: string) => file(`${subject}.${ending}`);
      const files = { certFile: own('pem'), keyFile: own('key') };
      runOpenssl(['req', ...KEY, '-keyout', files.keyFile, '-out', own('csr'), '-subj', `/CN=${subject}`]);
      writeFileSync(own('ext'), `subjectAltName=${names}\n`);
      const signing = ['-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', `${days}`];
      runOpenssl([
        'x509',
        '-req',
        '-in',
        own('csr'),
        ...signing,
        '-extfile',
        own('ext'),
        '-out',
        files.certFile,
      ]);
      return files;
    },
  };
}
