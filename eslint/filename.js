'use strict';

const path = require('node:path');

/** Names that say themselves what is in the file, or are given by n8n, npm or jest. */
const GIVEN = /^(index|.*\.(node|credentials|test))$/;

/** The name that each export of the file has, and whether it is that of a class. */
function exportsOf(program) {
  return program.body
    .flatMap((statement) => (/^Export(Named|Default)Declaration$/.test(statement.type) ? [statement] : []))
    .flatMap(({ declaration, specifiers }) => {
      if (!declaration) return specifiers.map(({ exported }) => ({ name: exported.name }));
      const declared = declaration.declarations ?? [declaration];
      const isClass = declaration.type === 'ClassDeclaration';
      return declared.map(({ id }) => ({ name: id?.name, isClass }));
    });
}

/**
 * A file that exports a class has its name, in Pascal case; so may one that is about an interface. All others are in
 * camel case: by what they export, or by their topic where the folder says the rest (`ChordSend/parameters.ts`).
 */
exports.filename = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      class: 'This file exports the class {{classes}}: name it after it.',
      pascal: 'Only the name of an export begins with a capital letter; this file exports no {{name}}.',
      camel: 'Write the name of this file in camel case.',
    },
  },
  create: (context) => ({
    Program(node) {
      const name = path.basename(context.filename, path.extname(context.filename));
      if (GIVEN.test(name)) return;
      const exported = exportsOf(node);
      const classes = exported.filter(({ isClass }) => isClass).map((one) => one.name);
      const report = (messageId) =>
        context.report({
          node,
          loc: { line: 1, column: 0 },
          messageId,
          data: { name, classes: classes.join() },
        });
      if (exported.some((one) => one.name === name)) return;
      if (classes.length > 0) report('class');
      else if (/^[A-Z]/.test(name)) report('pascal');
      else if (!/^[a-z][A-Za-z0-9]*$/.test(name)) report('camel');
    },
  }),
};
