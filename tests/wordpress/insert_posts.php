<?php
// php insert_posts.php WWW < posts.json: puts posts into the WordPress below WWW, in order; prints their ids as JSON.
require $argv[1] . '/wp-load.php';
kses_remove_filters();
$ids = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $number => $post) {
    $ids[] = wp_insert_post(wp_slash([
        'post_title' => $post['title'], 'post_content' => $post['content'], 'post_type' => $post['kind'],
        'post_status' => $post['status'], 'post_password' => $post['password'], 'post_author' => 1,
        'post_name' => $post['status'] === 'publish' && $post['password'] === '' ? "post-$number" : '',
    ]), true);
}
echo json_encode($ids);
