import assert from 'node:assert/strict';
import { describeTlsFailure, isTlsFailure } from '../../../src/executor/tlsFailure';

const describe_ = (code: string, message: string, tls = {}) => {
  assert.ok(isTlsFailure(code, message), `${code} is not seen as a failure of TLS`);
  return describeTlsFailure('cache:6380', code, new Error(message), tls);
};
const client = { certFile: '/c.pem', keyFile: '/c.key' };

describe('a failure of TLS', () => {
  const cases: [code: string, message: string, tls: object, sentence: RegExp][] = [
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'ssl3_get_record:wrong version number', {}, /does not use TLS/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required', {}, /wants a client/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'sslv3 alert handshake failure', {}, /wants a client/],
    [
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
      'sslv3 alert handshake failure',
      client,
      /TLS with cache:6380 failed/,
    ],
    [
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      'tlsv1 alert unknown ca',
      client,
      /refused the client certificate in \/c\.pem/,
    ],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'alert certificate expired', client, /refused the client/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', {}, /authority this machine trusts/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', { caFile: '/ca' }, /the authority in \/ca/],
    ['CERT_HAS_EXPIRED', 'certificate has expired', {}, /has expired/],
    ['CERT_NOT_YET_VALID', 'certificate is not yet valid', {}, /Check the clock/],
  ];
  for (const [code, message, tls, sentence] of cases) {
    it(`${code} ${'certFile' in tls ? 'with' : 'without'} a client certificate is told`, () =>
      assert.match(describe_(code, message, tls), sentence));
  }

  it('is not seen where it is none', () => assert.ok(!isTlsFailure('ECONNRESET', 'read ECONNRESET')));
});
