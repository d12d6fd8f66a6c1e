<?php
// php export.php WWW: the export of all content, as Tools, Export makes it.
$_SERVER['HTTP_HOST'] = $argv[2];
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/export.php';
export_wp(['content' => 'all']);
