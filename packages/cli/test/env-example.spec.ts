import { parseEnvExample } from '../src/project/env-example';

describe('.env.example', () => {
  it('lists variables with the comments above them, and tells which are secret or optional', () => {
    const text = `# Copy this file to .env.
#   node --env-file=.env dist/main.js

# The key of the API,
# from your account
API_KEY=
export REGION="eu west" # where
#LOG=json
EMPTY=
# Set MODE=fast or MODE=slow below.
PRIVATE_KEY='a # b'
API_KEY=again
`;
    expect(parseEnvExample(text)).toEqual([
      { name: 'API_KEY', description: '', value: 'again', isSecret: true, isOptional: false },
      { name: 'REGION', description: '', value: 'eu west', isSecret: false, isOptional: false },
      { name: 'LOG', description: '', value: 'json', isSecret: false, isOptional: true },
      { name: 'EMPTY', description: '', value: '', isSecret: false, isOptional: false },
      {
        name: 'PRIVATE_KEY',
        description: 'Set MODE=fast or MODE=slow below.',
        value: 'a # b',
        isSecret: true,
        isOptional: false,
      },
    ]);
  });

  it('knows the address of a database, and any address with a password, as secret', () => {
    const text = 'PROXY=http://ada:s3cret@proxy.example\nSITE=https://example.com\n';
    expect(parseEnvExample(text)).toMatchObject([{ isSecret: true }, { isSecret: false }]);
  });

  it.each([
    ...['DATABASE_URL', 'MONGO_URI', 'CONNECTION_STRING', 'PASSPHRASE', 'STRIPE_SK', 'JWT', 'BASIC_AUTH', 'REDIS_URL'],
    ...['SLACK_WEBHOOK_URL', 'AZURE_STORAGE_SAS', 'SESSION_COOKIE', 'PIN', 'COOKIE_SALT', 'SIGNING_CERT'],
    ...['API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'SIGIL_SECRETS', 'SENTRY_DSN', 'GITHUB_PAT', 'OPENAI_APIKEY'],
  ])('has secrets such as %s', (name) => expect(parseEnvExample(`${name}=`)).toMatchObject([{ isSecret: true }]));

  it.each(['PORT', 'KEYBOARD', 'PATTERN', 'TOKENIZER', 'HOST', 'MONKEY', 'AUTHOR', 'BASE_URL', 'SKU'])(
    'has others such as %s',
    (name) => expect(parseEnvExample(`${name}=`)).toMatchObject([{ isSecret: false }]),
  );
});
