import { connect } from 'outlast';

// A command outlasts this program. Followed from its beginning, nothing is missed and nothing comes twice.
const outlast = connect();
const session = await outlast.start({ shell: 'for i in 1 2 3; do echo "step $i"; done; exit 3' });

for await (const line of session.follow()) {
  if (line.text) process.stdout.write(line.text);
  if (line.session) console.log('ended with', line.session.exit?.text);
}
outlast.close();
