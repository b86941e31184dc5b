import { homedir } from 'node:os';
import { homeFolder } from '../../chord/process/homeFolder';

test('the home folder is what the system says', () => {
  expect(homeFolder()).toBe(homedir());
});

const unknownUser = () => {
  throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
};

test.each([
  ['the system does not know the user', unknownUser],
  ['HOME is empty', () => ''],
])('where %s, the error says what to set', (_, find) => {
  expect(() => homeFolder(find)).toThrow(
    expect.objectContaining({
      code: 'no_home_folder',
      description: expect.stringContaining('HOME') as string,
    }) as Error,
  );
});
