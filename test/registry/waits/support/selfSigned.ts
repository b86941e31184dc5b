/**
 * A certificate that its own server has signed, as people make one for an n8n at home; good until 2126. It guards
 * nothing. Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500`.
 */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2Z8tVfxCIhmxTL6m
BHE6vZFMn7i6GOeFZFRZkVHEfbqhRANCAAQYbEs0x6KHmoeQBq7SfhZpcgJVXC3Z
6T9Go0S19rMh/F3ElGehjc41JgFdri7zu/jL3tpHe2peq6b6ncar6wZQ
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgzCCASmgAwIBAgIUKL8J2fn9P9eMc5JJSBxFFbSzFNMwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLbjhuLmV4YW1wbGUwIBcNMjYxMjAyMTkxNTM1WhgPMjEyNjEx
MDgxOTE1MzVaMBYxFDASBgNVBAMMC244bi5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEGGxLNMeih5qHkAau0n4WaXICVVwt2ek/RqNEtfazIfxdxJRn
oY3ONSYBXa4u87v4y97aR3tqXqum+p3Gq+sGUKNTMFEwHQYDVR0OBBYEFMs2qGWz
w0KBhfFw/nG1nssxNn7sMB8GA1UdIwQYMBaAFMs2qGWzw0KBhfFw/nG1nssxNn7s
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhANLb6wBvMYoft2/T
1kqXzrbUyeoQTKmNDSjoeT7rZbi7AiBxSP0UAhbai5FF0cjnhjW3XE7VDjHy8o3S
pmcTbTsxpA==
-----END CERTIFICATE-----
`,
};
