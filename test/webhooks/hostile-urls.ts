/** URLs that must not be connected to, with `PORT` for the port of a server on this machine. */
export const hostileUrls: readonly string[] = [
  ...[
    // Other spellings of 127.0.0.1.
    ...['127.0.0.1', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001'],
    ...[
      '127.0.0.2',
      '127.255.255.254',
      '127.127.127.127',
      '1２7.0.0.1',
      '①②⑦.0.0.1',
      '127。0。0。1',
      '127%2e0%2e0%2e1',
    ],
    ...['localhost', 'LOCALHOST', 'localhost.', 'any.localhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '0', '0.0.0.0', '00.00.00.00', '0x0'],
    // Private, link-local and reserved networks.
    ...['10.0.0.1', '10.255.255.255', '012.0.0.1', '0xa000001', '167772161', '172.16.0.1', '172.31.255.255'],
    ...['192.168.0.1', '192.168.1.254', '0xc0a80001', '3232235521', '169.254.169.254', '169.254.0.1', '2852039166'],
    ...['0xa9fea9fe', '0251.0376.0251.0376', '100.64.0.1', '100.127.255.254', '100.100.100.200', '192.0.0.192'],
    ...['192.0.2.1', '192.88.99.1', '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9'],
    ...['168.63.129.16', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '0.1.2.3', '192.31.196.1'],
    ...['192.52.193.1'],
    // IPv6, and ways from it to IPv4.
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]'],
    ...['[::ffff:169.254.169.254]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
    ...[
      '[64:ff9b::7f00:1]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::7f00:1]',
      '[64:ff9b::808:808]',
    ],
    ...['[2002:7f00:1::]', '[2002:7f00:1::1]', '[2002:a00:1::1]', '[2002:a9fe:a9fe::]', '[2002:808:808::1]'],
    ...['[2001::1]', '[2001:0:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:2::1]', '[2001:10::1]'],
    ...['[2001:20::1]', '[2001:db8::1]', '[3fff::1]', '[2620:4f:8000::1]', '[5f00::1]', '[100::1]', '[100:0:0:1::1]'],
    ...['[fc00::1]', '[fd00::1]', '[fd00:ec2::254]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]'],
    ...['[2606:4700::5efe:7f00:1]', '[2606:4700::200:5efe:7f00:1]', '[2606:4700:0:1:0:5efe:10.0.0.1]', '[4000::1]'],
    // Names that lead there: see `hostileNames`.
    ...[
      'loopback.test',
      'loopback6.test',
      'private.test',
      'metadata.test',
      'mapped.test',
      'nat64.test',
      'sixtofour.test',
    ],
    ...['teredo.test', 'both.test', 'both6.test', 'zone.test', 'none.test', 'nonsense.test'],
    ...['127.0.0.1.nip.test', 'xn--loopback.test'],
  ].map((host) => `https://${host}:PORT/hook`),
  // Public addresses, but not by https, and with a name or a password.
  ...['http://1.1.1.1/', 'http://public.test/', 'http://127.0.0.1:PORT/', 'http://[::1]:PORT/', 'http:127.0.0.1:PORT'],
  ...[
    'https://user@public.test/',
    'https://user:word@1.1.1.1/',
    'https://:word@1.1.1.1/',
    'https://1.1.1.1@127.0.0.1:PORT/',
  ],
  ...['https://127.0.0.1:PORT\\@1.1.1.1/', 'https://1.1.1.1:443@localhost:PORT/', 'https:127.0.0.1:PORT/'],
  ...['https:///127.0.0.1:PORT/', 'https://\t127.0.0.1:PORT/', 'https://127.0.\n0.1:PORT/', ' https://127.0.0.1:PORT/'],
  // Other protocols and no URLs.
  ...[
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/_x',
    'ws://127.0.0.1:PORT/',
    'wss://127.0.0.1:PORT/',
  ],
  ...['data:text/plain,x', 'javascript:alert(1)', 'blob:https://1.1.1.1/x', 'about:blank', 'unix:/var/run/docker.sock'],
  ...[
    '//127.0.0.1:PORT/',
    '/hook',
    '',
    'https://',
    'https://[::1',
    'https://1.1.1.1:99999/',
    'https://256.256.256.256/',
  ],
  ...['https://[fe80::1%25eth0]:PORT/', `https://public.test/${'x'.repeat(2000)}`],
]

/** What the test's resolver says of names. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'private.test': ['10.1.2.3'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'sixtofour.test': ['2002:7f00:1::1'],
  'teredo.test': ['2001:0:7f00:1::'],
  'both.test': ['1.1.1.1', '127.0.0.1'],
  'both6.test': ['2606:4700:4700::1111', '::1'],
  'zone.test': ['2606:4700:4700::1111%lo'],
  'none.test': [],
  'nonsense.test': ['no address'],
  '127.0.0.1.nip.test': ['127.0.0.1'],
  'xn--loopback.test': ['127.0.0.1'],
  'public.test': ['1.1.1.1'],
}
