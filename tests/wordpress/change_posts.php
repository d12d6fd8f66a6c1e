<?php
// php change_posts.php WWW < changes.json: updates posts, or puts them into the trash.
require $argv[1] . '/wp-load.php';
kses_remove_filters();
foreach (json_decode(stream_get_contents(STDIN), true) as $change) {
    if (isset($change['delete'])) {
        wp_trash_post($change['delete']);
    } else {
        wp_update_post(wp_slash($change), true);
    }
}
